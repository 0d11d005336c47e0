/**
 * Programs that make choices, run for every choice.
 *
 * <p>{@link shakedown.Choose} has the choices, {@link shakedown.ObjectPool} chooses objects for linked structures,
 * {@link shakedown.Generator} puts small generators together, and {@link shakedown.Runs} runs all of them in a plain
 * JVM. The command {@code shakedown enumerate} runs the same programs, delays each choice until its value is used, and
 * so leaves out most of the work.
 */
package shakedown;
