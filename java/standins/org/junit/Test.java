package org.junit;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** A test of JUnit 4. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Test {}
