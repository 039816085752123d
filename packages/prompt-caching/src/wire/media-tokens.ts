import type { TokenCounter } from '@palimpsest/core'

/** Tokens of an image or a document, as the counter estimates them. `data`: base64, or the address of an image. */
export function mediaTokens(
  kind: 'image' | 'document',
  data: string,
  mediaType: unknown,
  tokens: TokenCounter,
): number {
  const isAddress = /^(https?|data|gs):/.test(data)
  const url = isAddress ? data : `data:${String(mediaType ?? 'image/png')};base64,${data}`
  return tokens.countMessage({
    role: 'user',
    content: [
      kind === 'image'
        ? { type: 'image_url', image_url: { url } }
        : { type: 'file', file: { file_data: data } },
    ],
  })
}
