package org.junit;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Runs after each test of JUnit 4. */
@Retention(RetentionPolicy.RUNTIME)
public @interface After {}
