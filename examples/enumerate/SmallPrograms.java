import shakedown.Choose;

/**
 * Small Java programs, as inputs for a compiler, an analyser or a refactoring tool: a class with a method of n
 * statements. Every program compiles and ends. There are 42 with one statement, and 42^n with n.
 */
public final class SmallPrograms {
    public static void main(String[] args) {
        System.out.println(generate(args.length > 0 ? Integer.parseInt(args[0]) : 1));
    }

    static String generate(int n) {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < n; i++) {
            body.append("        ").append(statement()).append('\n');
        }
        return "class Small {\n"
                + "    static int run(int x) {\n"
                + body
                + "        return x;\n"
                + "    }\n"
                + "}\n";
    }

    private static String statement() {
        String assignment = "x = " + expression() + ";";
        switch (Choose.getInt(0, 1)) {
            case 0:
                return assignment;
            default:
                return "if (" + condition() + ") { " + assignment + " }";
        }
    }

    private static String condition() {
        return "x " + Choose.of("<", "==", ">=") + " " + operand();
    }

    private static String expression() {
        if (Choose.getBoolean()) {
            return Choose.of("-x", "~x");
        }
        return "x " + Choose.of("+", "*") + " " + operand();
    }

    private static String operand() {
        return Choose.of("x", "7");
    }
}
