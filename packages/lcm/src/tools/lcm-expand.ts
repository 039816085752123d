import { InvalidOptionError } from '@palimpsest/core'
import { lazily, readToolArguments, toolSchema, z } from '@palimpsest/core/options'
import type { StoredMessage } from '../store/stored-message.ts'
import { USUAL_CHARACTERS } from './answer-limits.ts'
import { checkOffset, cutBytes } from './byte-page.ts'
import { expandSummary } from './expand-summary.ts'
import { findMessage, findSummary } from './find-ref.ts'
import { forgottenFields } from './forgotten.ts'
import { labelText, messageRef, parseRef, timeText } from './refs.ts'
import { renderMessage } from './render-message.ts'
import { choice, integer, requiredReference } from './tool-arguments.ts'
import type { ToolContext } from './tool-context.ts'

const PAGE_BYTES = 8_000
/** The most that fits into an answer. */
const MAX_PAGE_BYTES = 16_000
const argumentSchema = lazily(() =>
  z.object({
    id: requiredReference('A summary such as "s12", or a message such as "m57".'),
    offset: integer(
      0,
      Number.MAX_SAFE_INTEGER,
      'Bytes of a message, or sources of a summary, to skip: "next" of the previous answer, or "offset" of a hit.',
    ),
    limit: integer(
      1,
      MAX_PAGE_BYTES,
      `Bytes of a message (default ${PAGE_BYTES}, at most ${MAX_PAGE_BYTES}), or sources of a summary (default 20).`,
    ),
    form: choice(['text', 'json'], 'Of a message: default "text"; "json" for exactly what was stored.'),
  }),
)

export const lcmExpandSchema = lazily(() =>
  toolSchema(
    'lcm_expand',
    'Reads originals: of a summary, the messages or finer summaries that it was made from; of a message, its text in pages. ' +
      'While "next" is a number there is more: pass it as "offset".',
    argumentSchema(),
  ),
)

/** The sources of a summary, or a message itself. */
export async function lcmExpand(args: unknown, context: ToolContext): Promise<object> {
  const { id, offset = 0, limit, form = 'text' } = readToolArguments(argumentSchema(), args)
  const ref = parseRef(id)
  const characters = USUAL_CHARACTERS
  if (ref.kind === 'message') {
    const message = await findMessage(context, ref.number)
    return expandMessage(message, { offset, limit: limit ?? PAGE_BYTES, form, characters })
  }
  if (form === 'json') {
    throw new InvalidOptionError(
      'form',
      'form "json" is for a message such as "m57"; leave it out for a summary',
    )
  }
  const node = await findSummary(context, ref.number)
  return expandSummary(context.session, node, { offset, limit, characters })
}

/**
 * A page of a message: `limit` bytes at most, and `characters` as a JSON text. A forgotten message says when and why
 * its content was deleted.
 *
 * @throws InvalidOptionError when `offset` is behind the end.
 */
export function expandMessage(
  message: StoredMessage,
  page: { offset: number; limit: number; form: 'text' | 'json'; characters: number },
) {
  const { seq, role, at, json, replaced, forgotten } = message
  const { offset, limit, form, characters } = page
  const text = form === 'json' && forgotten === undefined ? json : renderMessage(message)
  const shown = cutBytes(text, offset, limit, characters)
  checkOffset(offset, shown.total, `the ${form} of ${messageRef(seq)} has ${shown.total} bytes`)
  return {
    ref: messageRef(seq),
    role: labelText(role),
    time: timeText(at),
    ...(replaced && { replaced }),
    ...forgottenFields(forgotten),
    form,
    ...shown,
  }
}
