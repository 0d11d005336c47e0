package org.junit.jupiter.api;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** A test that is switched off. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Disabled {
    String value() default "";
}
