/**
 * The kind of a decision: where things are and how they are cut (`structure`), what they do and which values they have
 * (`behavior`), what depends on what (`relationships`), and what was chosen (`decisions`).
 */
export const CATEGORIES = ['decisions', 'structure', 'behavior', 'relationships'] as const

export type Category = (typeof CATEGORIES)[number]
