package shop.order;

import java.util.HashSet;
import java.util.Set;

/** Tells working days from others. Dates are numbers like 20240229. */
public final class BusinessCalendar {
    private final Set<Integer> holidays = new HashSet<>();

    public BusinessCalendar(int... holidays) {
        for (int holiday : holidays) {
            this.holidays.add(checked(holiday));
        }
    }

    public static boolean isLeapYear(int year) {
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    }

    public static int daysInMonth(int year, int month) {
        return switch (month) {
            case 1, 3, 5, 7, 8, 10, 12 -> 31;
            case 4, 6, 9, 11 -> 30;
            case 2 -> isLeapYear(year) ? 29 : 28;
            default -> throw new IllegalArgumentException("no such month: " + month);
        };
    }

    /** From 1 for Monday to 7 for Sunday. */
    public static int dayOfWeek(int date) {
        int year = checked(date) / 10_000;
        int month = date / 100 % 100;
        int day = date % 100;
        int y = month < 3 ? year - 1 : year;
        int shift = (13 * (month < 3 ? month + 13 : month + 1)) / 5;
        int zeller = (day + shift + y + y / 4 - y / 100 + y / 400) % 7;
        return (zeller + 5) % 7 + 1;
    }

    public boolean isBusinessDay(int date) {
        return dayOfWeek(date) < 6 && !holidays.contains(date);
    }

    /** The date so many working days later; with zero, the date itself or the next working day. */
    public int addBusinessDays(int date, int days) {
        if (days < 0 || days > 1000) {
            throw new IllegalArgumentException("days out of range: " + days);
        }
        int result = checked(date);
        while (!isBusinessDay(result)) {
            result = nextDay(result);
        }
        for (int i = 0; i < days; i++) {
            do {
                result = nextDay(result);
            } while (!isBusinessDay(result));
        }
        return result;
    }

    public static int nextDay(int date) {
        int year = checked(date) / 10_000;
        int month = date / 100 % 100;
        if (date % 100 < daysInMonth(year, month)) {
            return date + 1;
        }
        return month < 12 ? date - date % 100 + 101 : (year + 1) * 10_000 + 101;
    }

    private static int checked(int date) {
        int year = date / 10_000;
        int day = date % 100;
        if (year < 1900 || year > 9000) {
            throw new IllegalArgumentException("year out of range: " + year);
        }
        if (day < 1 || day > daysInMonth(year, date / 100 % 100)) {
            throw new IllegalArgumentException("no such date: " + date);
        }
        return date;
    }
}
