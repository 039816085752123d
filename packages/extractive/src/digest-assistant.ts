import { isDecision } from './cues/decision-cues.ts'
import { isProposal } from './cues/reply-cues.ts'
import { isIntent, isNextStep, reportScore } from './cues/report-cues.ts'
import type { AssistantDigest, Statement } from './message-digest.ts'
import { shorten } from './text/shorten.ts'
import { splitSentences } from './text/split-sentences.ts'

const MAX_STATEMENT_CHARS = 260
const MAX_PER_SORT = 4
const SHORT_QUESTION = 40

/** Digests what an assistant said: what it reported, chose, left to do and proposed. Linear, by cues and position. */
export function digestAssistant(prose: string): AssistantDigest {
  const sentences = splitSentences(prose)
  const decisions: Statement[] = []
  const nextSteps: Statement[] = []
  const ranked: { text: string; weight: number; index: number }[] = []
  let proposal = ''
  for (const [index, sentence] of sentences.entries()) {
    const text = shorten(sentence, MAX_STATEMENT_CHARS)
    ranked.push({ text, weight: reportScore(sentence, index, sentences.length), index })
    if (isDecision(sentence, 'assistant') && decisions.length < MAX_PER_SORT)
      decisions.push({ text, weight: isIntent(sentence) ? 0.6 : 1 })
    if (isNextStep(sentence) && nextSteps.length < MAX_PER_SORT) nextSteps.push({ text, weight: 1 })
    // "May I?" says what it asks for in the sentence before.
    if (isProposal(sentence))
      proposal = text.length < SHORT_QUESTION ? `${ranked.at(-2)?.text ?? ''} ${text}`.trim() : text
  }
  ranked.sort((a, b) => b.weight - a.weight || a.index - b.index)
  const report = ranked.slice(0, 2).sort((a, b) => a.index - b.index)
  return { report: report.map(({ text, weight }) => ({ text, weight })), decisions, nextSteps, proposal }
}
