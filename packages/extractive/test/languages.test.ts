import { describe, expect, it } from 'vitest'
import { summarizeExtractively } from '../src/index.ts'
import { assistant, quarter, section, user } from './conversation.ts'

const summarize = (...turns: string[]): string =>
  summarizeExtractively({ messages: turns.map(user), maxTokens: 2000, tokens: quarter })

describe('other languages', () => {
  it('keeps turns in other scripts whole and splits their sentences', () => {
    const summary = summarize(
      '请把导出功能改成流式处理。不要修改数据库！端口是 8080。',
      'أضف اختبارا للملف الجديد من فضلك.',
      'Почини сборку. Всегда пиши тесты.',
    )
    expect(summary).toContain('请把导出功能改成流式处理。不要修改数据库！端口是 8080。')
    expect(summary).toContain('أضف اختبارا للملف الجديد من فضلك.')
    expect(section(summary, 'Constraints & Preferences')).toEqual([
      '- t1 user: "不要修改数据库！"',
      '- t3 user: "Всегда пиши тесты."',
    ])
  })

  it.each([
    ['German', 'Bitte immer die Tests laufen lassen.'],
    ['French', 'Il faut toujours lancer les tests.'],
    ['Spanish', 'Nunca borres la tabla.'],
    ['Portuguese', 'Sempre use tabulações no código.'],
    ['Japanese', '必ずテストを書いてください。'],
    ['Korean', '항상 테스트를 작성하세요.'],
    ['Arabic', 'يجب أن تكتب الاختبارات دائما.'],
  ])('recognises a rule in %s', (_, rule) => {
    expect(section(summarize(rule), 'Constraints & Preferences')).toEqual([`- t1 user: "${rule}"`])
  })

  it.each([
    'ja, mach das',
    "d'accord",
    'sí, adelante',
    'да, давай',
    '好的',
    'はい、お願いします',
    '네, 좋아요',
    'نعم',
  ])('takes "%s" for an acceptance', (reply) => {
    const messages = [assistant('Should I move the cache to Redis?'), user(reply)]
    const summary = summarizeExtractively({ messages, maxTokens: 2000, tokens: quarter })
    expect(section(summary, 'Key Decisions').join()).toContain(
      'what the assistant had proposed: "Should I move the cache to Redis?"',
    )
  })

  it('never cuts a character in two', () => {
    for (let maxTokens = 40; maxTokens < 90; maxTokens++) {
      const summary = summarizeExtractively({
        messages: [user('😀'.repeat(400))],
        maxTokens,
        tokens: quarter,
      })
      expect(() => encodeURIComponent(summary)).not.toThrow()
      expect(summary).not.toContain('\ufffd')
    }
  })
})
