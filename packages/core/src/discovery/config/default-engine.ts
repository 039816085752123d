/** The engine that runs when none is named, and when the one that is named cannot: always a built-in. */
export const DEFAULT_ENGINE = 'compressor'
