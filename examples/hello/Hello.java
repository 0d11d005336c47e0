/** The smallest thing to run: greets each argument, or nobody in particular. */
public class Hello {
    public static void main(String[] args) {
        if (args.length == 0) {
            System.out.println("Hello");
        }
        for (String name : args) {
            System.out.println("Hello, " + name);
        }
    }
}
