/** The eight section headings of a summary, in order. `Progress` has the sub-headings of {@link PROGRESS_HEADINGS}. */
export const SECTION_HEADINGS = [
  'Goal',
  'Constraints & Preferences',
  'Progress',
  'Key Decisions',
  'Relevant Files',
  'Errors & Fixes',
  'Next Steps',
  'Critical Context',
] as const

/** The sub-headings of the section `Progress`, in order. */
export const PROGRESS_HEADINGS = ['Done', 'In Progress', 'Blocked'] as const

/** One of the eight headings. */
export type SectionHeading = (typeof SECTION_HEADINGS)[number]
/** One of the sub-headings of `Progress`. */
export type ProgressHeading = (typeof PROGRESS_HEADINGS)[number]

/** A place that holds items: every section but `Progress`, whose items stand under its sub-headings. */
export type Slot = Exclude<SectionHeading, 'Progress'> | ProgressHeading

/** All slots in the order in which they are printed. */
export const SLOTS: readonly Slot[] = SECTION_HEADINGS.flatMap((heading): readonly Slot[] =>
  heading === 'Progress' ? PROGRESS_HEADINGS : [heading],
)
