import type { BenchReport } from './bench-report.ts'
import { peerSections } from './peers/peer-sections.ts'
import type { Section } from './section.ts'
import { aboutSections } from './sections/about-sections.ts'
import { billSections } from './sections/bill-sections.ts'
import { compactionSections } from './sections/compaction-sections.ts'
import { costSections } from './sections/cost-sections.ts'
import { dialogueSections } from './sections/dialogue-sections.ts'
import { extractionSections } from './sections/extraction-sections.ts'
import { judgeSections } from './sections/judge-sections.ts'
import { limitsSection } from './sections/limits-section.ts'
import { recallSections } from './sections/recall-sections.ts'
import { speedSections } from './sections/speed-sections.ts'
import { summarySection } from './sections/summary-section.ts'

/** The whole report. */
export function reportSections(report: BenchReport): Section[] {
  return [
    ...aboutSections(report),
    ...summarySection(report),
    ...partSections(report),
    ...closingSections(report),
  ]
}

/** Part by part: those that were measured. */
export function partSections(report: BenchReport): Section[] {
  const { recall, dialogues, decisions, judge, bills, cost, speed, arms, times } = report
  return [
    ...(recall === undefined
      ? []
      : [...recallSections(recall), ...compactionSections(recall.afterCompaction, recall.native)]),
    ...(dialogues === undefined ? [] : dialogueSections(dialogues)),
    ...(decisions === undefined ? [] : extractionSections(decisions, times.extraction)),
    ...(judge === undefined ? [] : judgeSections(judge)),
    ...(bills === undefined ? [] : billSections({ bills, recall: recall?.rows ?? [], arms })),
    ...(cost === undefined ? [] : costSections(cost, times.planning)),
    ...(speed === undefined ? [] : speedSections(speed)),
  ]
}

/** What is to be made of all parts together: where others win, and what was not measured. */
export function closingSections(report: BenchReport): Section[] {
  return [...peerSections(report), limitsSection(report)]
}
