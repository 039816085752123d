import { freezeMessage, type Message } from '@palimpsest/core'
import { insertAtWord } from './conversation.ts'
import { holdsNeedle } from './needles.ts'
import { createRandom, type Random } from './random.ts'

export const COMMON_WORD = 'cobalt'
const COMMON_SHARE = 0.4
export const RARE_CJK = '紫檀快照'
export const RARE_CJK_HITS = 5

const CJK_SHARE = 0.03
const CJK_CHARACTERS =
  '请检查这个文件然后运行测试看结果是否正确如果有错误就修复它并且说明原因谢谢我们需要更新配置'

/** Puts in what searches are measured with, except where a fact stands. Its own generator leaves the conversation as it is. */
export function* plantSearchWords(
  messages: Iterable<Message>,
  { seed, messages: count }: { readonly seed: number; readonly messages: number },
): Generator<Message, undefined> {
  const random = createRandom(seed ^ 0x5eed)
  let index = 0
  let rare = 0
  for (const message of messages) {
    let text = typeof message.content === 'string' ? message.content : undefined
    if (text !== undefined && message.role !== 'system' && !holdsNeedle(text)) {
      if (random.next() < COMMON_SHARE) text = insertAtWord(text, COMMON_WORD, random)
      if (message.role === 'user') {
        if (random.next() < CJK_SHARE) text = insertAtWord(text, cjk(random), random)
        if (rare < RARE_CJK_HITS && index >= (rare * count) / RARE_CJK_HITS) {
          text = insertAtWord(text, `${cjk(random)}${RARE_CJK}${cjk(random)}`, random)
          rare++
        }
      }
    }
    index++
    yield text === message.content ? message : freezeMessage({ ...message, content: text } as Message)
  }
}

function cjk(random: Random): string {
  return Array.from({ length: random.int(8, 40) }, () => random.pick([...CJK_CHARACTERS])).join('')
}
