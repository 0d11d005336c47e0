package shop.util;

import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;

/** A value, or the reason why there is none. */
public sealed interface Result<T> {
    record Success<T>(T value) implements Result<T> {
        public Success {
            Objects.requireNonNull(value, "value");
        }
    }

    record Failure<T>(String reason) implements Result<T> {
        public Failure {
            Objects.requireNonNull(reason, "reason");
        }
    }

    static <T> Result<T> success(T value) {
        return new Success<>(value);
    }

    static <T> Result<T> failure(String reason) {
        return new Failure<>(reason);
    }

    default boolean isSuccess() {
        return this instanceof Success;
    }

    default T orElse(T other) {
        return this instanceof Success<T> success ? success.value() : other;
    }

    default T orElseThrow() {
        if (this instanceof Failure<T> failure) {
            throw new NoSuchElementException(failure.reason());
        }
        return ((Success<T>) this).value();
    }

    default <R> Result<R> map(Function<? super T, ? extends R> function) {
        return flatMap(value -> success(function.apply(value)));
    }

    default <R> Result<R> flatMap(Function<? super T, Result<R>> function) {
        if (this instanceof Success<T> success) {
            return function.apply(success.value());
        }
        return failure(((Failure<T>) this).reason());
    }

    /** Turns a success into a failure if its value does not pass. */
    default Result<T> filter(Predicate<? super T> predicate, String reason) {
        if (this instanceof Success<T> success && !predicate.test(success.value())) {
            return failure(reason);
        }
        return this;
    }
}
