import { adviceFor, largestPart, namePart, type PromptParts, toPart } from './name-part.ts'
import type { PromptBudget } from './prompt-budget.ts'
import { type SelectInput, selectRequest } from './select-request.ts'
import type { SessionProjection } from './session-projection.ts'
import type { TracedMessages } from './trace-origins.ts'
import type { TranscriptLedger } from './transcript-ledger.ts'
import { createWindowFit } from './window-fit.ts'

type ComposerInput = Pick<SelectInput, 'engine' | 'tokens' | 'guard' | 'events' | 'warnings'> & {
  readonly ledger: TranscriptLedger
  readonly projection: SessionProjection
  readonly budget: PromptBudget
}

interface ComposeCall {
  readonly limitTokens: number
  /** Above this size long texts are cut; infinite when they are not to be. Default: `limitTokens`. */
  readonly cutAboveTokens?: number
  /** Cut as far as possible, even if it is not enough. Default false: a prompt that cannot fit stays whole. */
  readonly evenPartly?: boolean
  readonly signal: AbortSignal | undefined
}

export interface ComposedRequest extends TracedMessages {
  readonly tokens: number
}

/** Makes a request of the projection: cut to the window where an engine left it too large, then placed by the engine. */
export interface RequestComposer {
  compose(call: ComposeCall): Promise<ComposedRequest>
  /** The parts of a request, to be named in warnings. */
  parts(request: TracedMessages): PromptParts
  /** Another conversation or another model: what was cut is shown whole again. */
  clear(): void
}

const NAMED = 3

export function createRequestComposer(input: ComposerInput): RequestComposer {
  const { ledger, projection, budget, tokens, warnings } = input
  const windowFit = createWindowFit(tokens)
  const parts = (request: TracedMessages): PromptParts => ({
    request,
    transcript: ledger.messages,
    tokens,
    toolTokens: budget.toolTokens,
  })

  const warnOfCut = (cut: readonly number[], limitTokens: number): void => {
    const named = cut
      .slice(0, NAMED)
      .flatMap((place) => toPart(place, parts(projection)) ?? [])
      .map(namePart)
    const more = cut.length > NAMED ? [`and ${cut.length - NAMED} more`] : []
    warnings.say({
      code: 'cut-to-window',
      message: `the prompt would not fit into ${limitTokens} tokens, so the middle of long texts is left out of it (the transcript has them whole): ${[...named, ...more].join('; ')}`,
    })
  }

  return {
    parts,
    async compose({ limitTokens, cutAboveTokens = limitTokens, evenPartly = false, signal }) {
      const { messages: transcript } = ledger
      const measured = budget.measure(projection.messages)
      const { cut, ...fitted } = windowFit.fit({
        projection: { messages: projection.messages, origins: projection.origins },
        transcript,
        fits: measured.tokens <= cutAboveTokens,
        roomTokens: measured.roomFor(cutAboveTokens),
        evenPartly,
      })
      if (cut.length > 0) warnOfCut(cut, cutAboveTokens)
      const request = await selectRequest({
        ...input,
        transcript,
        projection: fitted,
        budgetTokens: measured.roomFor(limitTokens),
        signal,
        fits: (selected) => measured.sizeOf(selected) <= limitTokens,
      })
      return { ...request, tokens: measured.sizeOf(request.messages) }
    },
    clear: windowFit.clear,
  }
}

/** Why a prompt cannot be sent and what helps, as one sentence. */
export function overWindow(size: number, limitTokens: number, parts: PromptParts, why?: string): string {
  const found =
    size > limitTokens
      ? `does not fit into ${limitTokens}`
      : `was refused as too long, although ${limitTokens} should fit`
  return `the prompt of about ${size} tokens ${found}${why === undefined ? '' : `, and ${why}`}; ${adviceFor(largestPart(parts))}`
}
