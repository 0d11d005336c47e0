package shakedown;

/** What the API asks for choices when no run is under way: here, the recorded ones. Pools come this way. */
final class OutsidePath extends Path {
    OutsidePath() {
        super(Integer.MIN_VALUE);
    }

    @Override
    long choose(long last) {
        return Replay.alternative(last);
    }

    @Override
    Error drop() {
        return Replay.drop();
    }

    @Override
    long[] decisions() {
        return new long[0];
    }
}
