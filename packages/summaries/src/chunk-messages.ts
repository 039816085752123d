import { createPause, type TokenCounter } from '@palimpsest/core'

const CONTINUED = '[continued] '

export async function chunkTexts(
  texts: readonly string[],
  maxTokens: number,
  tokens: TokenCounter,
): Promise<string[]> {
  if (texts.length === 0) return []
  if (!Number.isFinite(maxTokens)) return [texts.join('\n')]
  const pause = createPause()
  const chunks: string[] = []
  let chunk: string[] = []
  let size = 0
  for (const text of texts) {
    await pause()
    for (const piece of pieces(text, maxTokens, tokens)) {
      const cost = tokens.countText(piece) + 1
      if (chunk.length > 0 && size + cost > maxTokens) {
        chunks.push(chunk.join('\n'))
        chunk = []
        size = 0
      }
      chunk.push(piece)
      size += cost
    }
  }
  return [...chunks, chunk.join('\n')]
}

function pieces(text: string, maxTokens: number, tokens: TokenCounter): string[] {
  const parts = Math.ceil((tokens.countText(text) + 1) / maxTokens)
  if (parts <= 1) return [text]
  let length = Math.ceil(text.length / parts)
  for (;;) {
    const cut = cutInto(text, length).map((piece, index) => (index === 0 ? piece : CONTINUED + piece))
    if (length <= 1 || cut.every((piece) => tokens.countText(piece) < maxTokens)) return cut
    length = Math.ceil(length * 0.9)
  }
}

function cutInto(text: string, length: number): string[] {
  const cut: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = start + length
    const space = end < text.length ? text.lastIndexOf(' ', end) : -1
    const next = space > start + length / 2 ? space : end
    cut.push(text.slice(start, next).toWellFormed())
    start = next
  }
  return cut
}
