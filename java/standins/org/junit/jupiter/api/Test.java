package org.junit.jupiter.api;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** A test of JUnit 5. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Test {}
