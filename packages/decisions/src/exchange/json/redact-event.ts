import { redactSecrets } from '@palimpsest/core'
import type { Choice, SaidEvent } from '../../log/decision-event.ts'
import { hashText } from '../../log/hash-text.ts'

/** An event with secrets hidden in whatever it says; the same event when it has none. */
export function redactEvent(event: SaidEvent): SaidEvent {
  const { source } = event
  const quote = redactSecrets(source.quote)
  const isSame = quote === source.quote
  return {
    ...event,
    ...('choice' in event && { choice: redactChoice(event.choice) }),
    ...('text' in event && { text: redactSecrets(event.text) }),
    ...('l1' in event && event.l1 !== undefined && { l1: redactSecrets(event.l1) }),
    ...('reason' in event && event.reason !== undefined && { reason: redactSecrets(event.reason) }),
    ...('area' in event && event.area !== undefined && { area: redactSecrets(event.area) }),
    source: isSame ? source : { ...source, quote, end: source.start + quote.length, hash: hashText(quote) },
  }
}

function redactChoice(choice: Choice): Choice {
  const { slot, area, l0, l1, reason, entities } = choice
  return {
    ...choice,
    slot: redactSecrets(slot),
    area: redactSecrets(area),
    choice: redactSecrets(choice.choice),
    l0: redactSecrets(l0),
    ...(l1 !== undefined && { l1: redactSecrets(l1) }),
    ...(reason !== undefined && { reason: redactSecrets(reason) }),
    entities: entities.map(redactSecrets),
  }
}
