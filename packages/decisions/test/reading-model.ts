import type { CompletionModel } from '@palimpsest/core'

/** What a model says of a quote; `with` and `replaces` may name words of a known entry instead of its number. */
export type Reading = Readonly<Record<string, unknown>>

export interface ReadingModel extends CompletionModel {
  /** The prompts of the requests for decisions. */
  readonly prompts: string[]
  /** Throws, or waits, before each answer. */
  before: (signal: AbortSignal | undefined) => unknown
}

/** The messages of a request, as the model sees them. */
export function messagesOf(
  prompt: string,
): { readonly number: number; readonly from: string; readonly text: string }[] {
  const found = prompt.matchAll(
    /<message number="(\d+)" from="(\w+)"( read="before")?>\n([\s\S]*?)\n<\/message>/g,
  )
  return [...found].flatMap(([, number, from = '', before, text = '']) =>
    before === undefined ? [{ number: Number(number), from, text }] : [],
  )
}

/** A model that reads a message when it has one of some words, and else writes a summary. */
export function readingModel(
  said:
    | Readonly<Record<string, Reading | readonly Reading[]>>
    | ((text: string) => Readonly<Record<string, Reading>>),
): ReadingModel {
  const prompts: string[] = []
  const model: ReadingModel = {
    name: 'scripted:reader',
    prompts,
    before: () => undefined,
    async complete({ system = '', prompt, signal }) {
      if (!system.includes('record of a conversation'))
        return { text: '## Goal\nThe shop is being built.', finishReason: 'stop' }
      prompts.push(prompt)
      await model.before(signal)
      const known = [...(/<known>\n([\s\S]*?)\n<\/known>/.exec(prompt)?.[1]?.split('\n') ?? [])]
      const numberOf = (words: unknown) => {
        const at = known.findIndex((line) => typeof words === 'string' && line.includes(words))
        return at === -1 ? words : at + 1
      }
      const record = messagesOf(prompt).flatMap(({ number, text }) =>
        Object.entries(typeof said === 'function' ? said(text) : said).flatMap(([quote, readings]) =>
          text.includes(quote)
            ? ([readings].flat() as Reading[]).map(({ with: target, replaces, ...reading }) => ({
                ...{ do: 'CREATE', kind: 'choice', message: number, quote, ...reading },
                ...(target !== undefined && { with: numberOf(target) }),
                ...(replaces !== undefined && { replaces: numberOf(replaces) }),
              }))
            : [],
        ),
      )
      return { text: `\`\`\`json\n${JSON.stringify({ record })}\n\`\`\``, finishReason: 'stop' }
    },
  }
  return model
}
