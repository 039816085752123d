/** The eight section headings that a model's summary has, in order. */
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

const LISTS: readonly string[] = ['Relevant Files', 'Critical Context'] satisfies SectionHeading[]

/** The headings for a model whose text stands in a frame: without those that are lists of names. */
export const PROSE_HEADINGS: readonly SectionHeading[] = SECTION_HEADINGS.filter(
  (heading) => !LISTS.includes(heading),
)

/** The note for a model on the frame that `frameSummary` puts around its text. */
export const FRAME_NOTE =
  "Beside your record stand, word for word, the user's messages, the ticket or plan that is worked on, and a list of names: do not " +
  'list them again. Give the room to why something was done, how it works, what failed, and what comes next.'

/** One of the eight headings. */
export type SectionHeading = (typeof SECTION_HEADINGS)[number]
