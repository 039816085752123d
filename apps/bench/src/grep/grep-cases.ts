import type { Message } from '@palimpsest/core'
import { identifiersOf } from '../recall/identifiers.ts'
import { indexOfName, passedIn, textOf } from '../recall/whole-word.ts'
import { createRandom, shuffle } from '../workload/vocabulary.ts'

/** Everyday words of work on software, two of one meaning in each entry. The engines do not read them. */
export const SYNONYMS: readonly (readonly [string, string])[] = `
add append; allow permit; always constantly; answer reply; argument parameter; ask request; avoid prevent; bad poor; begin start;
big large; break split; bug defect; build compile; call invoke; change modify; check verify; choose select; clean tidy; close shut;
collect gather; combine merge; command instruction; comment remark; complete finish; config configuration; connect attach;
contain include; continue proceed; convert transform; copy duplicate; correct right; count number; create make; current present;
customer client; data information; decide determine; default standard; define declare; delete remove; deploy release;
describe explain; detect discover; directory folder; document page; drop discard; easy simple; edit revise; empty blank;
enable activate; end stop; ensure guarantee; entry item; error failure; event occurrence; every each; example sample;
exist occur; expect anticipate; extra additional; extract obtain; fail crash; fast quick; feature capability; fetch retrieve;
field column; fill populate; find locate; fix repair; flag switch; function method; get receive; give provide; group cluster;
handle process; help assist; hide conceal; hold keep; identify recognise; ignore skip; image picture; implement realise;
important essential; improve enhance; increase raise; initial first; insert put; instance occurrence; invalid wrong; issue problem;
join link; key identifier; kill terminate; last final; later afterwards; launch open; leave exit; length size; level layer;
library package; limit bound; list array; load read; local nearby; log record; look view; match fit; message note; missing absent;
mode setting; module component; move shift; name title; need require; new fresh; node vertex; old former; only solely; option choice;
order sequence; output result; owner holder; parse analyse; part piece; path route; pick choose; place position; plan scheme;
point dot; print show; private internal; project workspace; push send; query question; range span; reach arrive; rename relabel;
repeat iterate; replace substitute; report summary; reset clear; resolve settle; return yield; run execute; save store;
scan sweep; search lookup; section chapter; server host; session conversation; set assign; share spread; show display; similar alike;
small little; source origin; space room; specific particular; state status; step stage; string text; style look; support back;
table grid; task job; test trial; tool utility; total sum; track follow; trigger cause; true correct; try attempt; turn round;
type kind; understand grasp; update refresh; use employ; user person; usual common; valid proper; value amount; version revision;
wait pause; want wish; warning alert; whole entire; window pane; work function; write compose
`
  .split(';')
  .map((pair) => pair.trim().split(' '))
  .map(([word = '', other = '']) => [word, other] as const)

/** A fact of a session, and words that stand near it. */
export interface GrepCase {
  readonly message: number
  /** The identifier that a hit has to show. */
  readonly identifier: string
  /** Two to four words from around it, none of them a part of it, which stand together in five messages at most. */
  readonly words: string
  /** The same with one word replaced by a synonym; null when none of them has one. */
  readonly replaced: string | null
}

/** Characters on each side of an identifier from which words are taken. */
const NEAR = 160
/** Words that stand near each other in more messages than that single out none of them, and no search can. */
const MOST_PLACES = 5
const WORD = /(?<![\w./-])\p{L}{4,}(?![\w./-])/gu

const other = new Map(SYNONYMS.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]))

/** Cases of a session, spread over it; the same for the same seed. */
export function grepCases(messages: readonly Message[], cases: number, seed: number): GrepCase[] {
  const random = createRandom(seed)
  const texts = messages.map((message) => textOf(message).toLowerCase())
  const found: GrepCase[] = []
  for (let tried = 0; found.length < cases && tried < cases * 20; tried++) {
    const message = random.int(0, messages.length - 1)
    const given = messages[message]
    if (given === undefined || given.role === 'system') continue
    const text = textOf(given)
    const identifier = random.pick([...identifiersOf(text, passedIn(given))]) as string | undefined
    const at = identifier === undefined ? -1 : indexOfName(text, identifier)
    if (identifier === undefined || at < 0) continue
    const end = at + identifier.length
    const before = text.slice(Math.max(0, at - NEAR), at).replace(/^\S+/, '')
    const near = `${before} ${text.slice(end, end + NEAR).replace(/\S+$/, '')}`
    const words = [...new Set(Array.from(near.matchAll(WORD), ([word]) => word.toLowerCase()))]
    const chosen = shuffle(words, random).slice(0, random.int(2, 4))
    if (chosen.length < 2 || countNear(texts, chosen) > MOST_PLACES) continue
    const withSynonym = chosen.find((word) => other.has(word))
    found.push({
      message,
      identifier,
      words: chosen.join(' '),
      replaced:
        withSynonym === undefined
          ? null
          : chosen.map((word) => (word === withSynonym ? other.get(word) : word)).join(' '),
    })
  }
  return found
}

/** In how many texts all words stand in one stretch as long as the one that they were taken from. */
function countNear(texts: readonly string[], words: readonly string[]): number {
  return texts.filter((text) => words.every((word) => text.includes(word)) && standTogether(text, words))
    .length
}

function standTogether(text: string, words: readonly string[]): boolean {
  const [first = '', ...others] = words
  for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
    const around = text.slice(Math.max(0, at - 2 * NEAR), at + first.length + 2 * NEAR)
    if (others.every((word) => around.includes(word))) return true
  }
  return false
}
