import type { EventWriter } from './event-writer.ts'
import { isSameChoice, type Statement, standingIn, wasSaidBefore } from './statement.ts'
import { isProse } from './value-key.ts'

/** Words with which an assistant says that something is so by now or will be, and words with which it only suggests. */
const ANNOUNCES =
  /(?<!\p{L})(?:i(?:'ll| will|'ve| have|'m (?:going|using)| am (?:going|using)| (?:also |just |now |then |went ahead and )*(?:\p{L}+ed|went|chose|took|set|made|put|built|wrote))|now|instead|ich (?:habe|werde|nutze|nehme)|j'ai|je (?:vais|passe)|he (?:cambiado|usado|puesto)|voy a|mudei|troquei|vou|я (?:заменил|переш[её]л|использую|использовал|буду))(?!\p{L})|我(?:已|会|将|改|用)|に(?:変更|切り替え)/iu
const SUGGESTS =
  /[?？]|(?<!\p{L})(?:suggest\w*|recommend\w*|propos\w*|could|would|'d|should|might|may|if|shall|let's|option|alternatively|consider|prefer|empfehle|schlage|könnten?|würde|sugiero|propongo|podríamos|sugiro|poderíamos|предлагаю|можно|лучше)(?!\p{L})|建议|可以|お勧め|提案|추천|제안/iu

/**
 * An assistant that takes another value than the user stated does so unasked: the stated one is contested until the user
 * speaks. A suggestion contests nothing.
 */
export function contestUnasked(statement: Statement, writer: EventWriter): void {
  const { choice, source, authority } = statement
  const { slot, area, cardinality } = choice
  const isDone = ANNOUNCES.test(source.quote) && !SUGGESTS.test(source.quote)
  if (!isDone || cardinality === 'many' || isProse(slot) || source.role === 'user') return
  standingIn(slot, area, writer.context)
    .filter(({ status, authority: on }) => status === 'active' && (on === 'stated' || on === 'accepted'))
    .filter((stated) => wasSaidBefore(stated, source) && !isSameChoice(statement, stated))
    // It is enough to say once that the assistant does otherwise.
    .filter(({ remarks }) => remarks.every(({ role }) => role === 'user'))
    .forEach(({ id }) => {
      writer.write({ type: 'remarked', decision: id, source, authority })
    })
}
