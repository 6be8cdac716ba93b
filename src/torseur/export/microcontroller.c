/* Functions of single precision, correct to some units of the last place, without a library.
 * Sines and cosines: argument reduced by parts of pi/2, then Taylor's series. Angles beyond 1e4 rad
 * lose digits. */
typedef union {
    float value;
    unsigned bits;
} own_bits;

static inline float own_fabs(float x)
{
    return x < 0.0f ? -x : x;
}

static inline float own_floor(float x)
{
    if (!(own_fabs(x) < 8388608.0f))
        return x;
    const float whole = (float)(int)x;
    return whole > x ? whole - 1.0f : whole;
}

/* x - k pi/2 between -pi/4 and pi/4; k modulo 4 is stored. */
static inline float own_reduced(float x, int *quarter)
{
    const float k = own_floor(x * 0.6366197723675814f + 0.5f);
    *quarter = (int)(k - 4.0f * own_floor(k * 0.25f));
    return ((x - k * 1.5703125f) - k * 4.837512969970703125e-4f) - k * 7.54978995489188216e-8f;
}

static inline float own_sine_of_part(float x)
{
    const float u = x * x;
    return x + x * u * (-1.66666667e-1f + u * (8.33333333e-3f + u * (-1.98412698e-4f
           + u * 2.75573192e-6f)));
}

static inline float own_cosine_of_part(float x)
{
    const float u = x * x;
    return 1.0f - 0.5f * u + u * u * (4.16666667e-2f + u * (-1.38888889e-3f
           + u * (2.48015873e-5f - u * 2.75573192e-7f)));
}

static inline float own_sin(float x)
{
    int quarter;
    const float part = own_reduced(x, &quarter);
    const float y = (quarter & 1) ? own_cosine_of_part(part) : own_sine_of_part(part);
    return (quarter & 2) ? -y : y;
}

static inline float own_cos(float x)
{
    int quarter;
    const float part = own_reduced(x, &quarter);
    const float y = (quarter & 1) ? own_sine_of_part(part) : own_cosine_of_part(part);
    return (quarter == 1 || quarter == 2) ? -y : y;
}

static inline float own_tan(float x)
{
    return own_sin(x) / own_cos(x);
}

/* Newton's method from half of the exponent. */
static inline float own_sqrt(float x)
{
    if (!(x > 0.0f))
        return x == 0.0f ? x : (x - x) / (x - x);
    own_bits guess;
    guess.value = x;
    guess.bits = (guess.bits >> 1) + 0x1fbd1df5u;
    float y = guess.value;
    for (int k = 0; k < 4; k++)
        y = 0.5f * (y + x / y);
    return y;
}

static inline float own_exp(float x)
{
    if (x > 88.7f)
        return x * 0x1p127f; /* infinite */
    if (x < -87.3f)
        return 0.0f;
    const float n = own_floor(x * 1.4426950408889634f + 0.5f);
    const float r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
    const float y = 1.0f + r * (1.0f + r * (0.5f + r * (1.66666667e-1f + r * (4.16666667e-2f
                    + r * (8.33333333e-3f + r * 1.38888889e-3f)))));
    own_bits power;
    power.bits = (unsigned)((int)n + 127) << 23;
    return y * power.value;
}

static inline float own_log(float x)
{
    if (!(x > 0.0f))
        return x == 0.0f ? -1.0f / x : (x - x) / (x - x);
    own_bits parts;
    int n = 0;
    parts.value = x;
    if (parts.bits < 0x00800000u) {
        parts.value = x * 16777216.0f;
        n = -24;
    }
    n += (int)(parts.bits >> 23) - 127;
    parts.bits = (parts.bits & 0x007fffffu) | 0x3f800000u;
    if (parts.value > 1.41421356f) {
        parts.value *= 0.5f;
        n += 1;
    }
    const float s = (parts.value - 1.0f) / (parts.value + 1.0f), u = s * s;
    const float y = 2.0f * s * (1.0f + u * (3.33333333e-1f + u * (0.2f + u * (1.42857143e-1f
                    + u * 1.11111111e-1f))));
    return (y - (float)n * 2.12194440e-4f) + (float)n * 0.693359375f;
}

static inline float own_atan(float x)
{
    const float size = own_fabs(x);
    const float turned = size > 1.0f ? 1.0f / size : size;
    const int far = turned > 0.4142135624f;
    const float part = far ? (turned - 1.0f) / (turned + 1.0f) : turned, u = part * part;
    float y = part * (1.0f + u * (-3.33333333e-1f + u * (0.2f + u * (-1.42857143e-1f
              + u * (1.11111111e-1f + u * (-9.09090909e-2f + u * (7.69230769e-2f
              - u * 6.66666667e-2f)))))));
    y = far ? y + 0.7853981634f : y;
    y = size > 1.0f ? 1.5707963268f - y : y;
    return x < 0.0f ? -y : y;
}

static inline float own_atan2(float y, float x)
{
    if (x > 0.0f)
        return own_atan(y / x);
    if (x < 0.0f)
        return own_atan(y / x) + (y < 0.0f ? -3.1415926536f : 3.1415926536f);
    return y > 0.0f ? 1.5707963268f : (y < 0.0f ? -1.5707963268f : 0.0f);
}

static inline float own_asin(float x)
{
    return own_atan2(x, own_sqrt((1.0f - x) * (1.0f + x)));
}

static inline float own_acos(float x)
{
    return own_atan2(own_sqrt((1.0f - x) * (1.0f + x)), x);
}

static inline float own_sinh(float x)
{
    const float u = x * x, e = own_exp(x);
    if (u < 0.25f)
        return x + x * u * (1.66666667e-1f + u * (8.33333333e-3f + u * 1.98412698e-4f));
    return 0.5f * (e - 1.0f / e);
}

static inline float own_cosh(float x)
{
    const float e = own_exp(own_fabs(x));
    return 0.5f * (e + 1.0f / e);
}

static inline float own_tanh(float x)
{
    if (own_fabs(x) > 10.0f)
        return x < 0.0f ? -1.0f : 1.0f;
    return own_sinh(x) / own_cosh(x);
}

/* Whole powers by products, others by logarithms. */
static inline float own_pow(float x, float y)
{
    if (own_floor(y) != y || own_fabs(y) > 64.0f)
        return x == 0.0f ? 0.0f : own_exp(y * own_log(x));
    float product = 1.0f, factor = x;
    for (int n = (int)own_fabs(y); n > 0; n /= 2) {
        if (n % 2)
            product *= factor;
        factor *= factor;
    }
    return y < 0.0f ? 1.0f / product : product;
}
