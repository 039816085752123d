import { areAlike } from '../slots/slots.ts'
import type { Technology } from '../slots/technologies.ts'
import type { Token } from './scan.ts'

const MAX_AREA_CHARS = 40
/** The whole of the project, and what is no part of one. */
const NO_AREA =
  /^(?:it|them|us|me|you|project|app|application|repo|repository|codebase|code|system|product|company|team|main|default|place|short|long|general|particular|real|certain|start|beginning|mvp|launch|speed|performance|simplicity|consistency|safety|reasons?|example|instance|free|future|being|same|new|part|job|way|case|work|stack|use|hand|choice|standard|here|there|things?|stuff|good|sure|everyone|grown-ups|fun|scratch|sake|.*ly)$/i

/** Where a technology goes: its slot, and the part of the project. */
export function placeOf({ slots }: Technology, words: readonly Token[]): { slot: string; area: string } {
  const [first = ''] = slots
  const near = words.flatMap(({ slot }) => slot ?? [])
  const slot =
    near.find((each) => slots.includes(each)) ?? near.find((each) => areAlike(each, first)) ?? first
  return { slot, area: areaOf(words, slot) }
}

/** The part of the project that a phrase such as "for the analytics database" names, lower case; empty for all of it. */
export function areaOf(around: readonly Token[], slot = ''): string {
  // "for its endpoints" is a part of what it is said of.
  const own = around.findIndex(({ text }) => /^(?:its|their)$/i.test(text))
  const words = own === -1 ? around : around.slice(0, Math.max(0, own - 1))
  const named = words.filter(
    ({ sign, slot: own }) =>
      !/[PpdVfAFtBmMiUSl:,]/.test(sign) &&
      (slot === '' || own === undefined || (own !== slot && !areAlike(own, slot))),
  )
  const isPlain = named.every(
    ({ sign, text }) =>
      /[xKIZTE]/.test(sign) &&
      /^[\p{L}\p{N}][\p{L}\p{N}.-]*$/u.test(text.replaceAll(' ', '')) &&
      !NO_AREA.test(text),
  )
  const hasArticle = words.some(({ sign }) => /[dV]/.test(sign))
  const area = named
    .map(({ text }) => text)
    .join(' ')
    .toLowerCase()
  const isShort = named.length > 0 && named.length <= (hasArticle ? 4 : 2)
  return isPlain && isShort && area.length > 1 && area.length <= MAX_AREA_CHARS ? area : ''
}
