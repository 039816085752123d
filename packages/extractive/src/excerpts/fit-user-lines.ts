import type { TokenCounter } from '@palimpsest/core'
import { shortenMiddle } from '../text/shorten.ts'
import type { Line } from './choose-lines.ts'
import { excerptLine } from './excerpt.ts'

/** Characters that are left of newer messages and of older ones. */
const MOST_OF_NEWER = 300
const MOST_OF_OLDER = 120
/** Characters that are left of the first message, in at most this share of the room: it says what all of it is for. */
const MOST_OF_FIRST = 1_200
const FIRST_SHARE = 0.3
/** Of the room, what newer messages may take before the older ones are cut shorter. */
const NEWER_SHARE = 0.6

/** Of the user's messages, the first and as many of the newest as fit into `room` tokens. */
export function fitUserLines(lines: readonly Line[], room: number, tokens: TokenCounter): Line[] {
  const [first, ...others] = lines
  const kept: Line[] = []
  let left = room
  for (const line of first === undefined ? [] : [first, ...others.toReversed()]) {
    const { text } = line.excerpt
    const isNewer = left > room * (1 - NEWER_SHARE)
    const most = line === first ? [MOST_OF_FIRST, MOST_OF_NEWER] : isNewer ? [MOST_OF_NEWER] : []
    const forms = [...most, MOST_OF_OLDER].map((chars) => shortenMiddle(text, chars))
    const sized = forms
      .map((form) => ({ ...line.excerpt, text: form }))
      .map((excerpt) => ({
        line: { ...line, excerpt },
        cost: tokens.countText(excerptLine(excerpt)) + 1,
      }))
    const fits = sized.find(
      ({ cost }, form) => cost <= (line === first && form === 0 ? FIRST_SHARE * room : left),
    )
    if (fits === undefined) break
    left -= fits.cost
    kept.push(fits.line)
  }
  return kept
}
