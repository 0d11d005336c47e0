public class NBody {
    static final double SOLAR = 4 * Math.PI * Math.PI, DAYS = 365.24;
    static final class Body {
        double x, y, z, vx, vy, vz, m;
        Body(double x, double y, double z, double vx, double vy, double vz, double m) {
            this.x = x; this.y = y; this.z = z;
            this.vx = vx * DAYS; this.vy = vy * DAYS; this.vz = vz * DAYS;
            this.m = m * SOLAR;
        }
    }
    final Body[] bodies = {
        new Body(0, 0, 0, 0, 0, 0, 1),
        new Body(4.84143144246472090, -1.16032004402742839, -0.103622044471123109, 0.00166007664274403694, 0.00769901118419740425, -0.0000690460016972063023, 0.000954791938424326609),
        new Body(8.34336671824457987, 4.12479856412430479, -0.403523417114321381, -0.00276742510726411021, 0.00499852801234917238, 0.0000230417297573763929, 0.000285885980666130812),
        new Body(12.8943695621391310, -15.1111514016986312, -0.223307578892655734, 0.00296460137564761618, 0.00237847173959480950, -0.0000296589568540237556, 0.0000436624404335156298),
        new Body(15.3796971148509165, -25.9193146099879641, 0.179258772950371181, 0.00268067772490389322, 0.00162824170038242295, -0.0000951592254519715870, 0.0000515138902046611451)};
    NBody() {
        double px = 0, py = 0, pz = 0;
        for (Body b : bodies) { px += b.vx * b.m; py += b.vy * b.m; pz += b.vz * b.m; }
        bodies[0].vx = -px / SOLAR; bodies[0].vy = -py / SOLAR; bodies[0].vz = -pz / SOLAR;
    }
    void advance(double dt) {
        for (int i = 0; i < bodies.length; i++) {
            Body a = bodies[i];
            for (int j = i + 1; j < bodies.length; j++) {
                Body b = bodies[j];
                double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
                double d2 = dx * dx + dy * dy + dz * dz, mag = dt / (d2 * Math.sqrt(d2));
                a.vx -= dx * b.m * mag; a.vy -= dy * b.m * mag; a.vz -= dz * b.m * mag;
                b.vx += dx * a.m * mag; b.vy += dy * a.m * mag; b.vz += dz * a.m * mag;
            }
        }
        for (Body b : bodies) { b.x += dt * b.vx; b.y += dt * b.vy; b.z += dt * b.vz; }
    }
    double energy() {
        double e = 0;
        for (int i = 0; i < bodies.length; i++) {
            Body a = bodies[i];
            e += 0.5 * a.m * (a.vx * a.vx + a.vy * a.vy + a.vz * a.vz);
            for (int j = i + 1; j < bodies.length; j++) {
                Body b = bodies[j];
                double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
                e -= a.m * b.m / Math.sqrt(dx * dx + dy * dy + dz * dz);
            }
        }
        return e;
    }
    public static void main(String[] args) {
        NBody n = new NBody();
        System.out.println(n.energy());
        for (int i = 0; i < 450000; i++) n.advance(0.01);
        System.out.println(n.energy());
    }
}
