import { extractFacts } from '../facts/extract-facts.ts'
import { labelledFacts } from '../facts/labelled-facts.ts'
import type { MessageDigest } from '../message-digest.ts'
import type { Identifier } from './identifier.ts'
import { identifierLines, parseIdentifierLine } from './identifier-lines.ts'

/** The first line of an appendix. */
export const APPENDIX_HEADING = '## Identifiers'
/** What the line of statements begins with. */
export const FACTS_LABEL = 'values: '
const FACTS_SEPARATOR = '; '
const CONTEXT_HEADING = '## Critical Context'

/** A statement of a value as an appendix lists it. */
export interface AppendixFact {
  readonly key: string
  readonly value: string
  readonly text: string
  readonly weight: number
}

/** Prints an appendix; empty when there is nothing to print. */
export function printAppendix(facts: readonly AppendixFact[], identifiers: readonly Identifier[]): string {
  const lines = identifierLines(identifiers)
  if (facts.length > 0) lines.unshift(FACTS_LABEL + facts.map(({ text }) => text).join(FACTS_SEPARATOR))
  return lines.length === 0 ? '' : [APPENDIX_HEADING, ...lines].join('\n')
}

/**
 * Takes an appendix apart, and what stands in the section `Critical Context` of a summary of this package,
 * where the same things are list items. Other lines are left out.
 */
export function parseAppendix(appendix: string | undefined): {
  facts: AppendixFact[]
  identifiers: Identifier[]
} {
  const facts: AppendixFact[] = []
  const identifiers: Identifier[] = []
  let heading = ''
  for (const line of appendix?.split('\n') ?? []) {
    if (line.startsWith('#')) heading = line
    const listed = heading === APPENDIX_HEADING
    const item = heading === CONTEXT_HEADING && line.startsWith('- ') ? line.slice(2) : undefined
    const named = listed || item !== undefined ? parseIdentifierLine(item ?? line, listed) : undefined
    if (named !== undefined) identifiers.push(...named)
    else if (item !== undefined) facts.push(...readFact(item.replace(/^t\d+ (?:user|assistant): /, '')))
    else if (listed) facts.push(...factTexts(line).flatMap(readFact))
  }
  return { facts, identifiers }
}

/** The statements of a line of an appendix; none for every other line. */
export function factTexts(line: string): string[] {
  return line.startsWith(FACTS_LABEL) ? line.slice(FACTS_LABEL.length).split(FACTS_SEPARATOR) : []
}

/** The facts of messages merged with those of an earlier appendix, the latest value of each name, best first. */
export function appendixFacts(
  digests: readonly MessageDigest[],
  previous: readonly AppendixFact[],
): AppendixFact[] {
  const facts = new Map<string, AppendixFact>()
  for (const fact of previous) facts.set(fact.key, fact)
  for (const digest of digests)
    for (const { key, value, text, weight } of digest.facts) {
      facts.delete(key)
      // The list is separated by semicolons; only a quoted value can hold one.
      if (!text.includes(';')) facts.set(key, { key, value, text, weight })
    }
  return [...facts.values()].reverse().sort((a, b) => b.weight - a.weight)
}

function readFact(text: string): AppendixFact[] {
  const fact = extractFacts(text, true)[0] ?? labelledFacts(text)[0]
  return fact === undefined ? [] : [{ key: fact.key, value: fact.value, text, weight: fact.weight }]
}
