package shakedown;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What has to hold before a method or constructor is called. Only inputs that satisfy it are explored.
 *
 * <pre>
 * &#64;Requires("list != null &amp;&amp; list.size &gt; 0 &amp;&amp; index &lt; list.size")
 * int get(Sequence list, int index) { ... }
 * </pre>
 *
 * <p>The condition is written as in Java, over parameters, fields of any visibility, {@code length} of arrays and
 * literals, with comparisons, arithmetic, {@code &&}, {@code ||} and {@code !}. There are no calls. A field of
 * {@code null} makes it false.
 */
@Documented
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR})
@Retention(RetentionPolicy.CLASS)
public @interface Requires {
    /**
     * The condition.
     *
     * @return a boolean expression
     */
    String value();
}
