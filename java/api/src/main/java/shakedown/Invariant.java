package shakedown;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an instance method without parameters that says whether an object is as it should be. It is run on the receiver
 * before a method of the class is explored, and receivers for which it answers {@code false} or throws are left out.
 *
 * <pre>
 * &#64;Invariant
 * boolean isSorted() { ... }
 * </pre>
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.CLASS)
public @interface Invariant {}
