import { findTechnologies } from '../slots/find-technologies.ts'
import { asFinding } from './as-finding.ts'
import type { Clause } from './clauses.ts'
import type { Finding } from './finding.ts'
import { objectsAt } from './objects.ts'

/** What an assistant says of something that it has in mind for the user, in many words. */
const SUGGESTS =
  /\b(?:fits?|suits?|default|options?|choices?|candidates?|how about|what about|my (?:vote|pick|favou?rite|preference|choice)|would be|would do|would suit|simplest|safest|easiest|best|better|sensible|reasonable|natural|obvious|go(?:-| )to|a job for|okay\?|ok\?|good for|let us|i'?ll|i will|i'd|i would|i could|i can|next i|we could|we can|could be|prefer|lean|vote|suggest\w*|recommend\w*|worth|ideal|enough|should do|happy with|in mind)\b/i
const REPORTS =
  /\b(?:not|n't|never|no longer|instead|too|as well|already|currently|was|were|has been|had|have been|uses|is using|used|says?|said|fails?|failed|because of|describes|but|decided|open|worse|slower|avoid|against|skip|remove|drop|unless|whether|depends)\b/i
const MAX_SUGGESTIONS = 3

/** Proposals of an assistant's that no verb of choosing announces: "Kotlin fits best here", "how about Sentry for errors?". */
export function readSuggestions(clause: Clause): Finding[] {
  const { shape } = clause
  if (!SUGGESTS.test(shape) || REPORTS.test(shape)) return []
  const found: Finding[] = []
  let behind = 0
  for (const mention of findTechnologies(shape)) {
    if (!mention.sure || mention.start < behind || found.length >= MAX_SUGGESTIONS) continue
    // One object for each, so that a list does not read on into what is only mentioned.
    const [chosen] = objectsAt(shape, mention.start, shape.length)
    if (chosen === undefined) continue
    behind = chosen.end
    found.push(asFinding(clause, chosen, false))
  }
  return found
}
