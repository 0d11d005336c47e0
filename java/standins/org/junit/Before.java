package org.junit;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Runs before each test of JUnit 4. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Before {}
