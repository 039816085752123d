/**
 * Expressions above linear that only see short texts, as they are written, with the bound of the text. The check fails
 * when one of them stands in no build any more.
 */
export const LISTED: Readonly<Record<string, string>> = {}
