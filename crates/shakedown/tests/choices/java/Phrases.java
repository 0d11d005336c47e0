import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;
import java.util.stream.*;
import shakedown.Choose;

/**
 * What generated programs do with choices: each method hands its arguments to some part of the language or the library.
 * The generator reads the first lines of the methods and puts calls of them together, so a method that is added here is
 * tried at once.
 */
@SuppressWarnings({"unchecked", "deprecation"})
public final class Phrases {
    private static final VarHandle V;
    private static final VarHandle W;
    private static final VarHandle OTHER;
    private static final VarHandle SHARED;
    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
    private static final VarHandle OBJECTS = MethodHandles.arrayElementVarHandle(Object[].class);
    private static final MethodHandle GET_V;
    private static final MethodHandle SET_V;
    private static final MethodHandle GET_W;
    private static final MethodHandle GET_TEXT;
    private static final MethodHandle VALUE;
    private static final MethodHandle MAX;
    private static final MethodHandle MAKE;
    private static final AtomicIntegerFieldUpdater<Cell> SHARED_UPDATER =
            AtomicIntegerFieldUpdater.newUpdater(Cell.class, "shared");
    private static final AtomicReferenceFieldUpdater<Cell, Cell> OTHER_UPDATER =
            AtomicReferenceFieldUpdater.newUpdater(Cell.class, Cell.class, "other");

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            V = lookup.findVarHandle(Cell.class, "v", int.class);
            W = lookup.findVarHandle(Cell.class, "w", long.class);
            OTHER = lookup.findVarHandle(Cell.class, "other", Cell.class);
            SHARED = lookup.findVarHandle(Cell.class, "shared", int.class);
            GET_V = lookup.findGetter(Cell.class, "v", int.class);
            SET_V = lookup.findSetter(Cell.class, "v", int.class);
            GET_W = lookup.findGetter(Cell.class, "w", long.class);
            GET_TEXT = lookup.findGetter(Cell.class, "text", String.class);
            VALUE = lookup.findVirtual(Cell.class, "value", MethodType.methodType(int.class));
            MAX = lookup.findStatic(Math.class, "max", MethodType.methodType(int.class, int.class, int.class));
            MAKE = lookup.findConstructor(Cell.class, MethodType.methodType(void.class, int.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Phrases() {}

    // Arithmetic and conversions.
    static int add(int a, int b) { return a + b * 3; }
    static int mixed(int a, int b) { return (a << 3 ^ b) - (a & b); }
    static int shifted(int a, int b) { return 1 << a >>> b; }
    static int quotient(int a, int b) { return 10 / (a - b); }
    static int remainder(int a, int b) { return a % (b + 3); }
    static int ternary(int a, int b) { return a < b ? a : a == b ? 7 : b; }
    static int negated(int a) { return -a ^ ~a; }
    static int maximum(int a, int b) { return Math.max(a, b) - Math.min(a, b); }
    static int floored(int a, int b) { return Math.floorMod(a, 3) + Math.floorDiv(b, 2) + Math.abs(a); }
    static int exact(int a) { return Math.addExact(Integer.MAX_VALUE - 1, a); }
    static int bits(int a, int b) { return Integer.bitCount(a) + Integer.numberOfTrailingZeros(b) + Integer.highestOneBit(a); }
    static int reversed(int a) { return Integer.reverse(a) >>> 28 | Integer.rotateLeft(a, 3); }
    static int compared(int a, int b) { return Integer.compare(a, b) + Integer.signum(a) + Integer.compareUnsigned(a, b); }
    static int narrowed(long a) { return (int) a + (byte) a + (short) (a >> 1) + (char) a; }
    static int floatBits(float a) { return Float.floatToIntBits(a) + Float.floatToRawIntBits(-a); }
    static int rounded(double a) { return (int) Math.round(a * 1.5) + (int) a; }
    static int hashOfLong(long a) { return Long.hashCode(a) + Long.bitCount(a) + Long.numberOfLeadingZeros(a); }
    static int hashOfDouble(double a) { return Double.hashCode(a) + (a < 0 ? 1 : 0) + Double.compare(a, 0.5); }
    static int truth(boolean a, boolean b) { return (a ? 1 : 0) + (b ? 2 : 0) + (a ^ b ? 4 : 0) + Boolean.hashCode(a); }
    static int letters(char a) { return a + Character.getNumericValue(a) + (Character.isLetter(a) ? 100 : 0); }
    static int loop(int a) { int sum = 0; for (int i = 0; i < a % 9; i++) sum += i + 1; return sum; }
    static int incremented(int a) { a++; a += 2; return a--; }
    static long widened(int a, int b) { return ((long) a << 33) + b; }
    static long product(long a, long b) { return a * b - (a ^ b) + Long.rotateLeft(a, 7); }
    static long divided(long a, long b) { return 100 / a + 7 % (b + 5); }
    static long shiftedLong(long a, int b) { return a << b | a >>> b + 1; }
    static long doubleBits(double a) { return Double.doubleToLongBits(a) ^ Double.doubleToRawLongBits(a / 3); }
    static long comparedLong(long a, long b) { return Long.compare(a, b) + Math.max(a, b) + Long.signum(b); }
    static long fromText(long a) { return Long.parseLong(Long.toString(a)) + Long.decode("" + a); }
    static double half(int a) { return a / 2.0 + (float) a; }
    static double root(int a) { return Math.sqrt(a) + Math.abs(-a * 0.25); }
    static double zeroes(int a) { return a / (double) (a - a) + 0.0; }
    static double fromBits(long a) { return Double.longBitsToDouble(a) + Math.floor(a / 2.0) + Math.ceil(a / 3.0); }
    static double chooseSign(boolean a, double b) { return a ? -b : b; }
    static float third(int a) { return a / 3f + (a % 2 == 0 ? 1 : Float.NaN); }
    static float intBits(int a) { return Float.intBitsToFloat(a + 0x3f800000); }
    static boolean both(boolean a, boolean b) { return a & b | !a; }
    static boolean less(int a, int b) { return a < b; }
    static boolean lessLong(long a, long b) { return a <= b; }
    static boolean lessDouble(double a, double b) { return a < b || a != a; }
    static char letter(int a) { return (char) ('a' + a); }
    static char raised(char a) { return Character.toUpperCase(a); }
    static char either(boolean a, char b) { return a ? b : 'z'; }
    static byte byteOf(int a) { return (byte) (a * 77); }
    static short shortOf(int a, byte b) { return (short) (a * 7777 + b); }
    static int smallSum(byte a, short b, char c) { return a + b + c; }
    static int numberSwitch(int a) { switch (a) { case 0: return 10; case 1: return 5; case 2: case -1: return 8; default: return 3; } }
    static String sparseSwitch(int a) { return switch (a) { case 1 -> "one"; case 1000 -> "many"; case -7 -> "less"; default -> "n" + a; }; }
    static int textSwitch(String a) { return switch (a) { case "a" -> 1; case "b1" -> 2; case "" -> 3; default -> a.length(); }; }
    static int charSwitch(char a) { return switch (a) { case 'a' -> 1; case 'b' -> 2; default -> a; }; }
    static int colorSwitch(Color a) { return switch (a) { case RED -> 1; case GREEN -> 2; case BLUE -> 4; }; }

    // Choices that depend on others.
    static int chooseBelow(int a) { return Choose.getInt(0, Math.floorMod(a, 3)); }
    static int chooseBetween(int a, int b) { return Choose.getInt(Math.floorMod(Math.min(a, b), 2), 1 + Math.floorMod(Math.max(a, b), 2)); }
    static int chooseMaybeNothing(int a) { return Choose.getInt(Math.floorMod(a, 3), 1); }
    static long chooseLongFrom(long a) { return Choose.getLong(Math.floorMod(a, 2L), 1); }
    static char chooseCharUpTo(char a) { return Choose.getChar('a', (char) ('a' + a % 3)); }
    static Object chooseThing(Object a, Object b) { return Choose.of(a, b); }
    static Object chooseFromArray(Object[] a) { return Choose.of(a); }
    static int chooseIf(boolean a) { return a ? Choose.getInt(5, 6) : 4; }
    static int chooseAndDrop(int a) { int b = Choose.getInt(0, 2); Choose.assume(b != a); return b; }

    // Choices that go to the library as they are: nothing has asked for their values before.
    static Object chooseMatrix(byte a) { return new int[Choose.getInt(0, 2)][Choose.getInt(0, 1)]; }
    static Object chooseCube(int a) { return new Object[Choose.getInt(-1, 1)][2][Choose.getInt(0, 1)]; }
    static int[] chooseCopied(int[] a) { int[] x = new int[4]; System.arraycopy(a, Choose.getInt(0, 1), x, Choose.getInt(0, 1), Choose.getInt(0, 2)); return x; }
    static byte[] chooseCopiedBytes(byte a) { byte[] x = {1, Choose.getByte((byte) 2, (byte) 3), a, 4}; System.arraycopy(x, Choose.getInt(0, 1), x, 2, 2); return x; }
    static Object[] chooseCopiedObjects(Object a) { Object[] x = {Choose.of(a, "z"), a, 1}, y = new Object[2]; System.arraycopy(x, 0, y, 0, Choose.getInt(0, 2)); return y; }
    static Object chooseReflected(int a) { Object x = Array.newInstance(long.class, Choose.getInt(1, 2)); Array.setLong(x, 0, Choose.getLong(5, 6)); return x; }
    static Object chooseReflectedBox(int a) { int[] x = {1, 2}; Array.set(x, Choose.getInt(0, 1), Choose.getInt(7, 8)); return Array.get(x, Choose.getInt(0, 1)); }
    static int chooseAtomic(int a) { AtomicInteger x = new AtomicInteger(Choose.getInt(0, 1)); x.compareAndSet(Choose.getInt(0, 1), a); return x.getAndAdd(Choose.getInt(0, 1)) + x.get() * 10; }
    static long chooseAtomicLong(long a) { AtomicLong x = new AtomicLong(Choose.getLong(0, 1)); x.compareAndSet(a, Choose.getLong(4, 5)); return x.getAndAdd(Choose.getLong(0, 1)) + x.get() * 10; }
    static Object chooseAtomicReference(Object a) { AtomicReference<Object> x = new AtomicReference<>(Choose.of(a, "q")); x.compareAndSet(a, Choose.of("r", "s")); return x.getAndSet(1); }
    static Object chooseAtomicArray(int a) { AtomicLongArray x = new AtomicLongArray(new long[] {Choose.getLong(0, 1), 7}); x.compareAndSet(Choose.getInt(0, 1), 7, Choose.getLong(8, 9)); return x.toString(); }
    static Cell chooseField(Cell a) throws Exception { a.w = Choose.getLong(3, 4); Field f = Cell.class.getDeclaredField("w"); Cell.class.getDeclaredField("real").setDouble(a, f.getLong(a)); f.set(a, Choose.getLong(5, 6)); return a; }
    static Cell chooseSmallFields(Cell a) throws Exception { a.letter = Choose.getChar('a', 'b'); a.small = Choose.getByte((byte) 0, (byte) 1); a.flag = Choose.getBoolean(); a.any = "" + Cell.class.getDeclaredField("letter").getChar(a) + Cell.class.getDeclaredField("small").get(a) + Cell.class.getDeclaredField("flag").getBoolean(a); return a; }
    static long chooseVarHandle(Cell a) { a.w = Choose.getLong(0, 1); a.shared = Choose.getInt(0, 1); W.compareAndSet(a, Choose.getLong(1, 2), 50L); return (long) W.getAndAdd(a, Choose.getLong(1, 2)) + (int) SHARED.getVolatile(a); }
    static long chooseGetter(Cell a) throws Throwable { a.w = Choose.getLong(0, 1); a.v = Choose.getInt(0, 1); return (long) GET_W.invokeExact(a) * 10 + (int) GET_V.invokeExact(a); }
    static Object chooseInvoked(Cell a) throws Exception { a.v = Choose.getInt(0, 1); return Cell.class.getDeclaredMethod("value").invoke(a) + "" + Math.class.getMethod("max", long.class, long.class).invoke(null, Choose.getLong(0, 1), 1L); }
    static Object chooseSerialized(Cell a) throws Exception { a.v = Choose.getInt(0, 1); a.w = Choose.getLong(2, 3); a.letter = Choose.getChar('x', 'y'); a.real = Choose.getInt(0, 1); return again(a); }
    static Object chooseSerializedArray(int a) throws Exception { return again(new Object[] {new long[] {Choose.getLong(0, 1)}, new char[] {Choose.getChar('a', 'b')}, Choose.getBoolean()}); }
    static String chooseDecoded(int a) { return new String(new byte[] {Choose.getByte((byte) 65, (byte) 66), Choose.getByte((byte) -61, (byte) -60), (byte) -87}, StandardCharsets.UTF_8); }
    static String chooseLatin(byte a) { return new String(new byte[] {a, Choose.getByte((byte) -1, (byte) 1)}, StandardCharsets.ISO_8859_1); }
    static String chooseChars(char a) { return String.valueOf(new char[] {Choose.getChar('a', 'b'), a, Choose.getChar('\u00ff', '\u0101')}); }
    static Object chooseUuid(long a) { return new UUID(Choose.getLong(-1, 0), Choose.getLong(a, a + 1)); }
    static Object chooseBox(int a) { return new Object[] {(double) Choose.getInt(0, 1), Choose.getLong(127, 128), Choose.getChar('a', 'b'), (float) Choose.getInt(0, 1)}; }
    static String chooseFormatted(int a) { return String.format("%s %s %d", Choose.getInt(0, 1), Choose.of("a", null), Choose.getLong(0, 1)); }
    static String chooseRepeated(String a) { return a.repeat(Choose.getInt(-1, 2)); }
    static boolean chooseInterned(String a) { String x = Choose.of("k", "l") + Choose.getInt(0, 1); return x.intern() == "k1" || new String(x).intern() == x.intern(); }
    static long chooseChecksum(byte a) { java.util.zip.CRC32 x = new java.util.zip.CRC32(); x.update(new byte[] {a, Choose.getByte((byte) 0, (byte) 1)}); x.update(Choose.getInt(0, 1)); return x.getValue(); }
    static long chooseBuffer(int a) { ByteBuffer x = ByteBuffer.allocate(16); x.putLong(Choose.getLong(0, 1)).putInt(Choose.getInt(2, 3)).put(Choose.getByte((byte) 4, (byte) 5)); return x.getLong(1) + x.getInt(8); }
    static Object chooseCloned(Object a) { Cell x = new Cell(Choose.getInt(0, 1)); x.any = Choose.of(a, null); x.w = Choose.getLong(0, 1); long[] y = {Choose.getLong(2, 3)}; return new Object[] {x.clone(), y.clone()}; }
    static Object chooseEnum(int a) { return new Object[] {EnumSet.of(Choose.of(Color.values())), Enum.valueOf(Color.class, Choose.of("RED", "BLUE"))}; }
    static Object chooseDecimal(int a) { return new Object[] {BigDecimal.valueOf(Choose.getLong(10, 11), Choose.getInt(0, 1)), BigInteger.valueOf(Choose.getLong(-1, 0))}; }
    static Object chooseArrays(int a) { byte[] x = {3, Choose.getByte((byte) 1, (byte) 5), 2}; Arrays.sort(x); short[] y = {Choose.getShort((short) 0, (short) 1)}; return new Object[] {x, y, Arrays.hashCode(y), Arrays.copyOf(x, Choose.getInt(2, 4))}; }

    // Arrays.
    static int[] filled(int a, int b) { int[] x = new int[3]; Arrays.fill(x, a); x[Math.floorMod(b, 3)] = b; return x; }
    static int[] ofLength(int a) { return new int[Math.floorMod(a, 4)]; }
    static int[] triple(int a, int b) { return new int[] {a, b, a}; }
    static int element(int[] a, int b) { return a[b]; }
    static int elementOr(int[] a, int b) { return a.length == 0 ? -1 : a[Math.floorMod(b, a.length)]; }
    static int[] copied(int[] a, int b, int c) { int[] x = {9, 8, 7, 6}; System.arraycopy(a, b, x, c, Math.min(1, a.length)); return x; }
    static int[] copiedLength(int[] a, int b) { int[] x = new int[5]; System.arraycopy(a, 0, x, 1, b); return x; }
    static Object[] copiedObjects(Object[] a, int b) { Object[] x = new Object[4]; System.arraycopy(a, Math.floorMod(b, 2), x, b, 1); return x; }
    static Object[] storeChecked(Object[] a) { Integer[] x = new Integer[a.length]; System.arraycopy(a, 0, x, 0, a.length); return x; }
    static byte[] copiedBytes(byte[] a, int b) { byte[] x = new byte[4]; System.arraycopy(a, 0, x, b, Math.min(2, a.length)); return x; }
    static long[] copiedLongs(long[] a, int b) { long[] x = new long[4]; System.arraycopy(a, 0, x, b, Math.min(2, a.length)); return x; }
    static int[] overlapping(int[] a, int b) { int[] x = {a.length, b, 3, 4}; System.arraycopy(x, 0, x, Math.floorMod(b, 3), 2); return x; }
    static int matrix(int a, int b) { int[][] x = new int[a % 5][b % 5]; return x.length * 10 + (x.length > 0 ? x[0].length : 5); }
    static Object matrixItself(int a, int b) { return new byte[Math.floorMod(a, 3)][Math.floorMod(b, 3)]; }
    static int cube(int a, int b) { long[][][] x = new long[2][a % 5][Math.abs(b % 5)]; return x[1].length + (a % 5 > 0 ? x[1][0].length : 0); }
    static Object reflected(int a) { return Array.newInstance(int.class, a % 5); }
    static Object reflectedMatrix(int a, int b) { return Array.newInstance(String.class, a % 5, b % 5); }
    static int reflectedGet(int[] a, int b) { return Array.getInt(a, b) + Array.getLength(a); }
    static Object reflectedObject(Object[] a, int b) { return Array.get(a, b); }
    static int[] reflectedSet(int a, int b) { int[] x = new int[3]; Array.setInt(x, a, b); Array.set(x, 0, b); return x; }
    static int[] cloned(int[] a, int b) { int[] x = a.clone(); if (x.length > 0) x[0] += b; return x; }
    static Object[] clonedObjects(Object[] a, Object b) { Object[] x = a.clone(); x[0] = b; return x; }
    static int[] sorted(int[] a, int b) { int[] x = Arrays.copyOf(a, a.length + 1); x[a.length] = b; Arrays.sort(x); return x; }
    static int[] range(int[] a, int b) { return Arrays.copyOfRange(a, 0, b % 9); }
    static int hashed(int[] a) { return Arrays.hashCode(a); }
    static boolean same(int[] a, int[] b) { return Arrays.equals(a, b); }
    static int mismatch(int[] a, int[] b) { return Arrays.mismatch(a, b) + Arrays.compare(a, b); }
    static int searched(int a, int b) { return Arrays.binarySearch(new int[] {a, a + 1, a + 4}, b); }
    static String shown(int[] a) { return Arrays.toString(a); }
    static String shownDeep(Object[] a) { return Arrays.deepToString(a); }
    static int streamed(int[] a) { return Arrays.stream(a).map(x -> x * 2).filter(x -> x != 2).sum(); }
    static byte[] bytes(int a, int b) { return new byte[] {(byte) a, (byte) (b * 50), 65}; }
    static byte[] rawBytes(byte a, byte b) { return new byte[] {a, b}; }
    static long[] longs(long a, long b) { return new long[] {a, b, a}; }
    static char[] chars(char a, char b) { return new char[] {a, 'x', b}; }
    static boolean[] truths(boolean a, boolean b) { return new boolean[] {a, b, !a}; }
    static double[] reals(double a, int b) { return new double[] {a, b}; }
    static Object[] objects(Object a, Object b) { return new Object[] {a, b, "c"}; }
    static long longElement(long[] a, int b) { return a[b]; }
    static int byteElement(byte[] a, int b) { return a[Math.floorMod(b, 2)]; }
    static char charElement(char[] a, int b) { return a[b]; }
    static int counted(boolean[] a) { int n = 0; for (boolean x : a) if (x) n++; return n; }
    static byte[] copyOfBytes(byte[] a) { return Arrays.copyOf(a, 3); }
    static char[] copyOfChars(char[] a) { return Arrays.copyOf(a, 2); }
    static boolean sameBytes(byte[] a, byte[] b) { return Arrays.equals(a, b); }
    static boolean sameChars(char[] a, char[] b) { return Arrays.equals(a, b) || Arrays.hashCode(a) == 7; }
    static boolean sameLongs(long[] a, long[] b) { return Arrays.equals(a, b); }
    static int[] prefix(int a, int b) { int[] x = {a, b, 2, 1}; Arrays.parallelPrefix(x, Integer::sum); return x; }
    static int[] setAll(int a) { int[] x = new int[3]; Arrays.setAll(x, i -> i * a); return x; }

    // Objects and fields.
    static Cell cell(int a) { return new Cell(a); }
    static Cell full(int a, long b, String c) { Cell x = new Cell(a); x.w = b; x.text = c; x.flag = a > 1; return x; }
    static Cell holder(Object a, char b, byte c) { Cell x = new Cell(); x.any = a; x.letter = b; x.small = c; return x; }
    static Cell real(double a, boolean b) { Cell x = new Cell(); x.real = a; x.flag = b; return x; }
    static Cell linked(Cell a, Cell b) { Cell x = new Cell(3); x.next = a; x.other = b; return x; }
    static Cell knot(Cell a, int b) { a.next = b == 1 ? a : null; return a; }
    static Cell eitherCell(boolean a, Cell b, Cell c) { return a ? b : c; }
    static Cell wide(int a, long b) { Wide x = new Wide(); x.v = a; x.extra = b; return x; }
    static Cell copiedCell(Cell a) { Cell x = a.clone(); x.text = "copy"; return x; }
    static int dispatched(Cell a) { return a.value() + (a instanceof Wide ? 1000 : 0); }
    static int fieldOfNull(Cell a) { return a.next.v; }
    static boolean sameCell(Cell a, Cell b) { return a == b || a.equals(b); }
    static int field(Cell a) throws Exception { Field f = Cell.class.getDeclaredField("v"); return f.getInt(a) + (Integer) f.get(a); }
    static long longField(Cell a) throws Exception { return (Long) Cell.class.getDeclaredField("w").get(a) + Cell.class.getDeclaredField("w").getLong(a); }
    static Object anyField(Cell a) throws Exception { return Cell.class.getDeclaredField("any").get(a); }
    static Cell setField(Cell a, int b) throws Exception { Field f = Cell.class.getDeclaredField("v"); f.setInt(a, b); Cell.class.getDeclaredField("w").set(a, (long) b); return a; }
    static Cell setLetter(Cell a, char b) throws Exception { Cell.class.getDeclaredField("letter").setChar(a, b); Cell.class.getDeclaredField("small").setByte(a, (byte) b); return a; }
    static Cell setAny(Cell a, Object b) throws Exception { Cell.class.getDeclaredField("any").set(a, b); return a; }
    static Cell setReal(Cell a, double b, boolean c) throws Exception { Cell.class.getDeclaredField("real").setDouble(a, b); Cell.class.getDeclaredField("flag").setBoolean(a, c); return a; }
    static String reflectedFields(Cell a) throws Exception { String s = ""; for (String n : new String[] {"v", "w", "flag", "letter", "small", "real", "text"}) s += Cell.class.getDeclaredField(n).get(a) + ","; return s; }
    static Object invoked(int a, int b) throws Exception { Method m = Math.class.getMethod("max", int.class, int.class); return m.invoke(null, a, b); }
    static Object invokedOn(Cell a) throws Exception { Method m = Cell.class.getDeclaredMethod("value"); return m.invoke(a); }
    static Cell constructed(int a) throws Exception { return Cell.class.getDeclaredConstructor(int.class).newInstance(a); }
    static int varHandle(Cell a, int b) { V.set(a, b); return (int) V.get(a) + (int) V.getAndAdd(a, 2); }
    static int varHandleGet(Cell a) { return (int) V.get(a) + (int) V.getVolatile(a); }
    static long varHandleLong(Cell a, long b) { long old = (long) W.getAndSet(a, b); return old + (long) W.get(a); }
    static boolean varHandleSwap(Cell a, int b, int c) { return V.compareAndSet(a, b, c); }
    static int varHandleExchange(Cell a, int b, int c) { return (int) SHARED.compareAndExchange(a, b, c) + a.shared; }
    static boolean varHandleReference(Cell a, Cell b, Cell c) { return OTHER.compareAndSet(a, b, c) && a.other == c; }
    static int varHandleElement(int[] a, int b) { return (int) INTS.get(a, b) + (int) INTS.getAndAdd(a, b, 5); }
    static Object varHandleObject(Object[] a, int b, Object c) { Object old = OBJECTS.getAndSet(a, b, c); return old; }
    static int getter(Cell a) throws Throwable { return (int) GET_V.invokeExact(a) + (int) GET_V.invoke(a); }
    static long longGetter(Cell a) throws Throwable { return (long) GET_W.invokeExact(a); }
    static String textGetter(Cell a) throws Throwable { return (String) GET_TEXT.invokeExact(a); }
    static Cell setter(Cell a, int b) throws Throwable { SET_V.invokeExact(a, b); return a; }
    static int virtualHandle(Cell a) throws Throwable { return (int) VALUE.invokeExact(a); }
    static Object staticHandle(int a, int b) throws Throwable { return MAX.invoke(a, b); }
    static Object handleWithArguments(int a, int b) throws Throwable { return MAX.invokeWithArguments(a, b); }
    static int boundHandle(int a, int b) throws Throwable { return (int) MethodHandles.insertArguments(MAX, 0, a).invoke(b); }
    static Cell constructorHandle(int a) throws Throwable { return (Cell) MAKE.invoke(a); }
    static int atomicInt(int a, int b) { AtomicInteger x = new AtomicInteger(a); x.addAndGet(b); x.compareAndSet(2, 9); return x.getAndIncrement() * 10 + x.get(); }
    static Object atomicItself(int a) { return new AtomicInteger(a); }
    static Object atomicLongItself(long a) { AtomicLong x = new AtomicLong(a); x.incrementAndGet(); return x; }
    static long atomicLong(long a, long b) { AtomicLong x = new AtomicLong(a); x.accumulateAndGet(b, Math::max); return x.getAndSet(1) + x.get(); }
    static boolean atomicBoolean(boolean a, boolean b) { AtomicBoolean x = new AtomicBoolean(a); return x.compareAndSet(b, true) ^ x.get(); }
    static Object atomicReference(Object a, Object b) { AtomicReference<Object> x = new AtomicReference<>(a); x.compareAndSet(a, b); return x.get(); }
    static int atomicArray(int[] a, int b) { AtomicIntegerArray x = new AtomicIntegerArray(a); x.addAndGet(b, 3); return x.get(b) + x.length(); }
    static int updater(Cell a, int b) { SHARED_UPDATER.set(a, b); SHARED_UPDATER.incrementAndGet(a); return a.shared; }
    static Cell referenceUpdater(Cell a, Cell b) { OTHER_UPDATER.compareAndSet(a, null, b); return OTHER_UPDATER.get(a); }
    static long adder(int a, int b) { LongAdder x = new LongAdder(); x.add(a); x.add(b); return x.sum(); }
    static int locked(Object a) { synchronized (a) { return 5; } }
    static Object serialized(Cell a) throws Exception { return again(a); }
    static Object serializedPair(int a, String b) throws Exception { return again(new Pair(a, b)); }
    static Object serializedList(int a, long b) throws Exception { return again(new ArrayList<>(List.of(a, b))); }
    static Object serializedInts(int[] a) throws Exception { return again(a); }
    static int serializedSize(Cell a) throws Exception { ByteArrayOutputStream bytes = new ByteArrayOutputStream(); new ObjectOutputStream(bytes).writeObject(a); return Arrays.hashCode(bytes.toByteArray()); }
    private static Object again(Object a) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) { out.writeObject(a); }
        return new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
    }
    static Pair pair(int a, Object b) { return new Pair(a, b); }
    static boolean samePair(int a, int b, String c) { return new Pair(a, c).equals(new Pair(b, c)); }
    static int hashedPair(int a, String b) { return new Pair(a, b).hashCode(); }
    static String shownPair(int a, boolean b) { return new Pair(a, b).toString(); }
    static Object part(Pair a) { return a.thing() == null ? a.number() : a.thing(); }
    static Color color(int a) { return Color.values()[a]; }
    static Color named(boolean a) { return Color.valueOf(a ? "RED" : "BLUE"); }
    static int weight(Color a) { return a.weight() + a.ordinal() + a.name().length() + a.compareTo(Color.GREEN); }
    static Object colors(Color a, Color b) { return EnumSet.of(a, b); }
    static Object colorMap(Color a, int b) { EnumMap<Color, Integer> x = new EnumMap<>(Color.class); x.put(a, b); return x; }
    static boolean hasColor(Color a, Color b) { return EnumSet.complementOf(EnumSet.of(a)).contains(b); }
    static String className(Object a) { return a == null ? "null" : a.getClass().getName() + a.getClass().isArray(); }
    static int kind(Object a) { return a instanceof String ? 1 : a instanceof Integer i ? i : a instanceof Cell c ? c.v : a == null ? -1 : 9; }
    static Object cast(Object a) { return (String) a; }
    static boolean isInstance(Object a) { return Number.class.isInstance(a); }

    // Boxes.
    static boolean cached(int a) { return Integer.valueOf(a + 126) == Integer.valueOf(a + 126); }
    static boolean cachedLong(long a) { return Long.valueOf(a * 127) == Long.valueOf(a * 127); }
    static boolean sameBox(int a, int b) { Integer x = a, y = b; return x == y; }
    static Integer boxed(int a) { return a; }
    static int unboxed(Integer a) { return a + a.hashCode(); }
    static Object boxedLong(long a) { return a; }
    static Object boxedChar(char a) { return a; }
    static Object boxedTruth(boolean a) { return a; }
    static Object boxedReal(double a, float b, boolean c) { return c ? (Object) a : (Object) b; }
    static Object boxedByte(byte a, short b, boolean c) { return c ? (Object) a : (Object) b; }
    static boolean equalBoxes(Object a, Object b) { return Objects.equals(a, b); }
    static int hashedObject(Object a) { return a instanceof String || a instanceof Number || a instanceof Character ? a.hashCode() : 4; }
    static int objectsHash(int a, long b, String c) { return Objects.hash(a, b, c); }
    static String textOf(Object a) { return a instanceof Cell || a instanceof int[] ? "cell" : String.valueOf(a instanceof Object[] x ? x.length : a instanceof byte[] || a instanceof byte[][] || a instanceof long[] ? 1 : a); }
    static Object requireNonNull(Object a) { return Objects.requireNonNull(a, "nothing"); }

    // Texts.
    static String joined(int a, String b) { return a + b + 'c' + (a > 0); }
    static String joinedMany(long a, char b, double c, boolean d) { return "[" + a + b + c + d + "]"; }
    static String format(int a, String b) { return String.format("%d|%s|%3d|%x", a, b, a, a); }
    static String formatReal(double a, boolean b) { return String.format("%.2f %b", a, b); }
    static String part(String a, int b) { return a.substring(b); }
    static char at(String a, int b) { return a.charAt(b); }
    static String repeated(String a, int b) { return a.repeat(b % 9); }
    static String built(int a, char b) { StringBuilder x = new StringBuilder("abc"); x.append(a).insert(a, b).setCharAt(0, b); return x.reverse().toString(); }
    static String deleted(int a) { return new StringBuilder("abcdef").deleteCharAt(a).replace(0, a, "X").toString(); }
    static Object builder(char a, int b) { return new StringBuilder().append(a).append(b); }
    static String ofBytes(byte[] a) { return new String(a, StandardCharsets.ISO_8859_1); }
    static String ofUtf8(byte[] a) { return new String(a, StandardCharsets.UTF_8); }
    static String ofAscii(byte[] a) { return new String(a, StandardCharsets.US_ASCII); }
    static String ofUtf16(byte[] a) { return new String(a, 0, 2, StandardCharsets.UTF_16BE); }
    static String ofChars(char[] a) { return new String(a); }
    static String ofSomeChars(char[] a, int b) { return String.valueOf(a, 0, b); }
    static byte[] toBytes(String a) { return a.getBytes(StandardCharsets.UTF_8); }
    static char[] toChars(String a) { return a.toCharArray(); }
    static String interned(int a, String b) { return (a + b).intern(); }
    static boolean internedSame(int a) { String x = "k" + a; return x.intern() == "k1" || x == "k1"; }
    static boolean internedTwice(String a) { return new String(a).intern() == a.intern(); }
    static boolean literal(String a) { return a == "a"; }
    static boolean equalTexts(String a, String b) { return a.equals(b) || a.equalsIgnoreCase(b) || a.contentEquals(b); }
    static int comparedTexts(String a, String b) { return a.compareTo(b) + a.indexOf(b) + a.hashCode(); }
    static int measured(String a) { return a.length() + a.trim().length() + (a.isEmpty() ? 9 : 0) + (a.isBlank() ? 5 : 0); }
    static String cased(String a) { return a.toUpperCase(Locale.ROOT) + a.toLowerCase(Locale.ROOT); }
    static String replaced(String a, char b) { return a.replace('a', b).replace("b", "yy"); }
    static String[] split(String a, char b) { return (a + b + "q," + a).split(","); }
    static boolean matches(String a) { return a.matches("[a-m][0-9]*"); }
    static String regex(String a, int b) { return a.replaceAll("[0-9]+", "<" + b + ">"); }
    static String joinedList(int a, String b) { return String.join("-", b, "" + a, b); }
    static int summed(String a) { return a.chars().sum(); }
    static String ofLetters(char a, int b) { return Character.toString(a).concat(Integer.toString(b, 2)); }
    static String hex(int a, long b) { return Integer.toHexString(a - 1) + Long.toBinaryString(b); }
    static int parsed(String a) { return Integer.parseInt(a); }
    static int points(int a) { return Character.toChars(0x1F600 + a)[1] + Character.charCount(0xFFFF + a); }
    static boolean letterKinds(char a) { return Character.isDigit(a) || Character.isUpperCase(a) || Character.isWhitespace(a); }
    static String lone(int a) { return "<" + (char) (0xD800 + a) + ">"; }
    static String stripped(char a, String b) { return (a + " " + b + " ").strip() + (" " + a).indent(1).length(); }
    static Object uuid(long a, long b) { return new UUID(a, b); }
    static String uuidText(long a, long b) { return new UUID(a * 77777777777L, b).toString(); }
    static boolean sameUuid(long a, long b) { return new UUID(a, b).equals(new UUID(b, a)); }
    static Object uuidOf(String a) { return UUID.nameUUIDFromBytes(a.getBytes(StandardCharsets.UTF_8)); }
    static String encoded(byte[] a) { return Base64.getEncoder().encodeToString(a); }
    static byte[] decoded(char a, char b) { return Base64.getDecoder().decode("" + a + b + "=="); }
    static int tokens(String a, char b) { return new StringTokenizer(a + b + a, "" + b).countTokens(); }

    // Numbers of any size.
    static Object big(long a, int b) { return BigInteger.valueOf(a).shiftLeft(b % 9 * 20).add(BigInteger.TEN); }
    static int bigCompare(long a, long b) { return BigInteger.valueOf(a).pow(3).compareTo(BigInteger.valueOf(b)); }
    static String bigText(int a) { return new BigInteger("" + a).multiply(new BigInteger("12345678901234567890")).toString(); }
    static Object bigBytes(byte[] a) { return new BigInteger(a); }
    static Object decimal(int a, int b) { return new BigDecimal(a).setScale(2).add(BigDecimal.valueOf(b, 1)); }
    static Object decimalLong(long a) { return BigDecimal.valueOf(a); }
    static String decimalText(double a) { return BigDecimal.valueOf(a).toPlainString(); }
    static int random(int a) { return new Random(a).nextInt(100); }
    static long checksum(byte[] a) { java.util.zip.CRC32 x = new java.util.zip.CRC32(); x.update(a); return x.getValue(); }
    static long checksumAt(byte[] a, int b) { java.util.zip.Adler32 x = new java.util.zip.Adler32(); x.update(a, 0, Math.floorMod(b, 2) + 1); x.update(b); return x.getValue(); }
    static long buffer(int a, byte b) { ByteBuffer x = ByteBuffer.allocate(8); x.putInt(a).put(b); return x.getLong(0); }
    static int bufferOf(byte[] a, int b) { return ByteBuffer.wrap(a).get(Math.floorMod(b, 2)); }
    static Object bitSet(int a, int b) { BitSet x = new BitSet(); x.set(a % 99); x.flip(b % 99); return x.toString() + x.cardinality(); }

    // Collections and streams.
    static List<Object> list(Object a, Object b) { List<Object> x = new ArrayList<>(); x.add(a); x.add(b); return x; }
    static List<Object> numbers(int a, int b) { return new ArrayList<>(Arrays.asList(a, b, 1)); }
    static List<Object> linkedList(int a, String b) { List<Object> x = new LinkedList<>(); x.add(a); x.add(0, b); return x; }
    static List<Object> immutable(int a, Object b) { return b == null ? List.of(a) : List.of(a, b); }
    static List<Object> asList(Object[] a) { return Arrays.asList(a); }
    static Object got(List<Object> a, int b) { return a.get(b); }
    static List<Object> inserted(List<Object> a, int b) { List<Object> x = new ArrayList<>(a); x.add(b, "new"); return x; }
    static List<Object> swapped(int a, int b, int c) { List<Object> x = numbers(a, b); Collections.swap(x, 0, c); Collections.rotate(x, c); return x; }
    static List<Object> sublist(List<Object> a, int b) { return new ArrayList<>(a.subList(0, b)); }
    static int position(List<Object> a, Object b) { return a.indexOf(b) + (a.contains(b) ? 10 : 0); }
    static List<Object> removed(List<Object> a, Object b) { List<Object> x = new ArrayList<>(a); x.remove(b); x.removeIf(y -> y == null); return x; }
    static Object[] toArray(List<Object> a) { return a.toArray(new Object[0]); }
    static int size(List<Object> a) { int n = 0; for (Object x : a) n += x == null ? 100 : 1; return n; }
    static Object map(int a, int b, String c) { Map<Object, Object> x = new HashMap<>(); x.put(a, c); x.put(b, 7); return x; }
    static Object linkedMap(String a, String b, int c) { Map<Object, Object> x = new LinkedHashMap<>(); x.put(a, c); x.put(b, a); return x; }
    static Object treeMap(int a, int b) { TreeMap<Integer, Object> x = new TreeMap<>(); x.put(a, b); x.put(b, a); return x; }
    static Object looked(int a, String b) { Map<Object, Object> x = new HashMap<>(); x.put(1, "one"); x.put("a", "letter"); return x.getOrDefault(a, x.get(b)); }
    static int merged(int a, int b) { Map<Integer, Integer> x = new HashMap<>(); x.merge(a, 1, Integer::sum); x.merge(b, 1, Integer::sum); x.computeIfAbsent(2, k -> 50); return x.get(a) + x.size(); }
    static Object set(int a, int b) { return new HashSet<>(Arrays.asList(a, b, 2)); }
    static Object treeSet(String a, String b) { return new TreeSet<>(Arrays.asList(a, b)); }
    static int inSet(Object a, Object b) { Set<Object> x = new HashSet<>(); x.add(a); return x.add(b) ? 2 : 1; }
    static int ofSet(int a) { return Set.of(0, 1, 5).contains(a) ? Map.of(1, 10, 2, 20).getOrDefault(a, 3) : 6; }
    static Object floor(int a, int b) { TreeMap<Integer, String> x = new TreeMap<>(Map.of(1, "x", 3, "y")); x.put(a, "z"); return x.floorKey(b); }
    static Object queue(int a, int b) { PriorityQueue<Integer> x = new PriorityQueue<>(Arrays.asList(a, b, 1)); return x.poll() * 100 + x.poll(); }
    static Object deque(int a, Object b) { ArrayDeque<Object> x = new ArrayDeque<>(); x.push(a); if (b != null) x.addLast(b); return x; }
    static Object optional(boolean a, Object b) { return a ? Optional.ofNullable(b) : Optional.empty(); }
    static Object optionalInt(int a) { return a == 0 ? OptionalInt.empty() : OptionalInt.of(a); }
    static int optionalValue(int a) { return Optional.of(a).filter(x -> x > 1).map(x -> x * 3).orElse(-1); }
    static int sum(int a, int b) { return IntStream.rangeClosed(a % 9, b % 9).map(x -> x * x).sum(); }
    static Object collected(int a, int b) { return Stream.of(a, b, 3).filter(x -> x > 0).map(x -> x + 1).collect(Collectors.toList()); }
    static String collectedText(int a, String b) { return Stream.of("" + a, b).sorted().collect(Collectors.joining(",", "<", ">")); }
    static Object grouped(int a, int b) { return Stream.of(a, b, 1).collect(Collectors.groupingBy(x -> x % 2 == 0, TreeMap::new, Collectors.counting())); }
    static Object distinct(int a, int b) { return IntStream.of(a, b, a).distinct().boxed().collect(Collectors.toList()); }
    static int reduced(long a, int b) { return (int) LongStream.range(0, b % 9).reduce(a, (x, y) -> x * 2 + y); }
    static Object sortedCells(Cell a, Cell b) { List<Cell> x = new ArrayList<>(List.of(a, b)); Collections.sort(x); return x.get(0).v; }
    static Object comparedBy(String a, String b) { List<String> x = new ArrayList<>(List.of(a, b)); x.sort(Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder())); return x; }
    static int iterated(List<Object> a) { int n = 0; for (Iterator<Object> i = a.iterator(); i.hasNext(); ) if (i.next() instanceof Integer x) n += x; return n; }
    static Object shuffled(int a) { List<Integer> x = new ArrayList<>(List.of(1, 2, 3, 4)); Collections.shuffle(x, new Random(a)); return x; }
    static Object unmodifiable(int a, int b) { return new ArrayList<>(Collections.unmodifiableList(numbers(a, b))); }

    // Functions and exceptions.
    static int captured(int a, int b) { IntUnaryOperator f = x -> x * 10 + a; return f.andThen(x -> x - b).applyAsInt(b); }
    static Object supplied(Object a) { Supplier<Object> f = () -> a; return f.get(); }
    static int bound(String a, String b) { Function<String, Integer> f = a::indexOf; return f.apply(b); }
    static Object chosenFunction(boolean a, int b) { IntFunction<Object> f = a ? Integer::valueOf : Integer::toString; return f.apply(b); }
    static int caught(int[] a, int b) { try { return a[b]; } catch (ArrayIndexOutOfBoundsException e) { return e.getMessage().length(); } finally { b++; } }
    static int caughtArithmetic(int a) { try { return 6 / a; } catch (ArithmeticException e) { return -9; } }
    static int thrown(int a) { if (a == 1) throw new IllegalStateException("not " + a); return a; }
    static int asserted(int a, int b) { if (a + b == 3) throw new AssertionError(a); return b; }
    static int caughtNull(Cell a) { try { return a.next.v; } catch (NullPointerException e) { return e.getMessage() == null ? 1 : 2; } }
    static int caughtCast(Object a) { try { return ((String) a).length(); } catch (ClassCastException e) { return -3; } }
    static int caughtStore(Object a) { try { Object[] x = new String[1]; x[0] = a; return 1; } catch (ArrayStoreException e) { return -4; } }
    static int caughtNegative(int a) { try { return new int[a % 9 - 1].length; } catch (NegativeArraySizeException e) { return -5; } }
    static int assumed(int a, int b) { Choose.assume(a <= b + 1); return a * b; }
    static long assumedLong(long a) { Choose.assume(a != 1); return a; }
    static boolean assumedTruth(boolean a, boolean b) { Choose.assume(a || b); return a; }
    static int local(int a) { ThreadLocal<Integer> x = ThreadLocal.withInitial(() -> a); x.set(x.get() + 1); return x.get(); }
    static int recursive(int a) { return a % 99 <= 0 ? 0 : 1 + recursive(a % 99 - 1); }
    static String traced(int a) { try { if (a > 0) throw new RuntimeException("r" + a); return "ok"; } catch (RuntimeException e) { return e + "/" + e.getStackTrace()[0].getMethodName(); } }
}
