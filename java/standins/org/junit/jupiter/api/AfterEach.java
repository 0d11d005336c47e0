package org.junit.jupiter.api;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Runs after each test of JUnit 5. */
@Retention(RetentionPolicy.RUNTIME)
public @interface AfterEach {}
