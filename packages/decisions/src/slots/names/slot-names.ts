/**
 * The names that fill slots, by slot. Names are separated by `;`, other spellings follow on `=` and are separated by `,`.
 * A name may stand under several slots; the first one, in the order of `TECHNOLOGIES`, is where it goes when nothing around
 * it says more.
 */
export type SlotNames = Readonly<Record<string, string>>
