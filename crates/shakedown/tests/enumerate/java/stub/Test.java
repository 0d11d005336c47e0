package org.junit.jupiter.api;

/** As much of JUnit as generated tests need. */
@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
public @interface Test {}
