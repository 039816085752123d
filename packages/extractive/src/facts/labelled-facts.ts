import { kindOf } from '../identifiers/extract-identifiers.ts'
import { oneLine } from '../text/one-line.ts'
import { normalKey } from './extract-facts.ts'
import type { Fact } from './fact.ts'
import { factQuality } from './fact-quality.ts'

const LABELLED =
  /^[\s>*•-]*[*`]{0,2}([^:：=`*\n]{2,48}?)[*`]{0,2}\s?(?:[:：=]|->|→|⇒)\s?[`"]?([^\s`"，。]{1,160})[`"]?(?:\s(ms|s|[KMG]i?B|seconds?|minutes?|hours?|days?|tokens?|px|percent))?[.,;]?\s*$/u
const SENTENCE_VALUE =
  /(?:\b|^)((?:[\w/-]+(?:\.\w+)?\s){0,4}[\w/-]+(?:\.\w+)?)\s(?:set to|changed to|raised to|lowered to|bumped to|moved to|renamed to|listens on|runs on|stays|stays at|should be|must be|default(?:s)? to)\s(?:port\s)?[`"]?([^\s`",;]{1,120})[`"]?/i

/** What a value is worth that somebody stated in so many words. */
const STATED = 0.6

/**
 * Values that a person or a model states as a labelled line ("port: 8080") or with a verb of setting
 * ("timeout raised to 30s"). Meant for what somebody said: in files and output such lines are too common.
 */
export function labelledFacts(prose: string): Fact[] {
  const facts: Fact[] = []
  for (const line of prose.split('\n')) {
    if (line.length > 300 || line.length < 5 || facts.length >= 40) continue
    const match = LABELLED.exec(line) ?? SENTENCE_VALUE.exec(line)
    const [whole, key = '', raw = ''] = match ?? []
    const value = raw.replace(/[.!?]+$/, '')
    if (whole === undefined || !isValue(value) || !/\p{L}/u.test(key)) continue
    facts.push({
      key: normalKey(key),
      value,
      text: oneLine(whole.trim())
        .replace(/^[-*•>\s]+/, '')
        .replaceAll('**', ''),
      weight: Math.max(STATED, factQuality(key, value)),
    })
  }
  return facts
}

function isValue(value: string): boolean {
  return /^\d[\d.,_]*$/.test(value) || kindOf(value) !== undefined
}
