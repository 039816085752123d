export const PURPOSES = ['answer', 'extraction', 'dedup', 'compaction'] as const

export type Purpose = (typeof PURPOSES)[number]
