import gov.nasa.jpf.vm.Verify;
import org.cprover.CProver;

/** Programs written for other tools. */
public final class Uses {
    static String bound() {
        boolean first = Verify.getBoolean(false);
        int number = Verify.getIntFromList(7, 5);
        double real = Verify.getDoubleFromList(0.5, -1);
        String text = CProver.nondetWithNull("text");
        return first + " " + number + " " + real + " " + text + " " + Verify.incrementCounter(2);
    }

    static int byKey() {
        return Verify.getInt("range");
    }

    static Object ofAnyType() {
        return CProver.<String>nondetWithNull();
    }

    /** The bits of a float are numbered from the lowest int on, as on a JVM. */
    static int bits() {
        return Float.floatToRawIntBits(CProver.nondetFloat());
    }
}
