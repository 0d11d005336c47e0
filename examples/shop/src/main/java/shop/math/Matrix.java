package shop.math;

import java.util.Arrays;

/** A matrix of whole numbers that does not change. */
public final class Matrix {
    private final long[][] cells;

    private Matrix(long[][] cells) {
        this.cells = cells;
    }

    public static Matrix of(long[]... rows) {
        if (rows.length == 0 || rows[0].length == 0) {
            throw new IllegalArgumentException("a matrix needs at least one cell");
        }
        long[][] copy = new long[rows.length][];
        for (int i = 0; i < rows.length; i++) {
            if (rows[i].length != rows[0].length) {
                throw new IllegalArgumentException("row " + i + " has another length");
            }
            copy[i] = rows[i].clone();
        }
        return new Matrix(copy);
    }

    public static Matrix identity(int size) {
        long[][] cells = new long[size][size];
        for (int i = 0; i < size; i++) {
            cells[i][i] = 1;
        }
        return of(cells);
    }

    public int rows() {
        return cells.length;
    }

    public int columns() {
        return cells[0].length;
    }

    public long get(int row, int column) {
        return cells[row][column];
    }

    public boolean isSquare() {
        return rows() == columns();
    }

    public Matrix times(Matrix other) {
        if (columns() != other.rows()) {
            throw new IllegalArgumentException("sizes do not fit");
        }
        long[][] product = new long[rows()][other.columns()];
        for (int i = 0; i < rows(); i++) {
            for (int j = 0; j < other.columns(); j++) {
                for (int k = 0; k < columns(); k++) {
                    product[i][j] += cells[i][k] * other.cells[k][j];
                }
            }
        }
        return new Matrix(product);
    }

    public Matrix power(int exponent) {
        if (!isSquare() || exponent < 0) {
            throw new IllegalArgumentException("no power " + exponent);
        }
        Matrix result = identity(rows());
        Matrix square = this;
        for (int e = exponent; e > 0; e >>= 1) {
            if ((e & 1) == 1) {
                result = result.times(square);
            }
            square = square.times(square);
        }
        return result;
    }

    public long determinant() {
        if (!isSquare()) {
            throw new IllegalStateException("not a square");
        }
        if (rows() == 1) {
            return cells[0][0];
        }
        long sum = 0;
        for (int column = 0; column < columns(); column++) {
            long term = cells[0][column] * without(column).determinant();
            sum += column % 2 == 0 ? term : -term;
        }
        return sum;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Matrix matrix && Arrays.deepEquals(cells, matrix.cells);
    }

    @Override
    public int hashCode() {
        return Arrays.deepHashCode(cells);
    }

    @Override
    public String toString() {
        return Arrays.deepToString(cells);
    }

    /** All but the first row and one of the columns. */
    private Matrix without(int column) {
        long[][] minor = new long[rows() - 1][columns() - 1];
        for (int i = 1; i < rows(); i++) {
            for (int j = 0; j < columns() - 1; j++) {
                minor[i - 1][j] = cells[i][j < column ? j : j + 1];
            }
        }
        return new Matrix(minor);
    }
}
