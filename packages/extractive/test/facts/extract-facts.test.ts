import { describe, expect, it } from 'vitest'
import { extractFacts } from '../../src/facts/extract-facts.ts'
import { labelledFacts } from '../../src/facts/labelled-facts.ts'

const texts = (text: string, said = false): string[] => extractFacts(text, said).map((fact) => fact.text)

describe('extractFacts', () => {
  it.each([
    [
      'words The snapshot path of KEY-4 is /var/data/x.bin words',
      'snapshot path of KEY-4 is /var/data/x.bin',
    ],
    ['Note: the timeout is 30 seconds, not more.', 'timeout is 30 seconds'],
    ['The API is now running on port 8080.', 'API is now running on port 8080'],
    ['the commit of the release was 0af91bc2.', 'commit of the release was 0af91bc2'],
    ['export DATABASE_URL=postgres://x/y', 'DATABASE_URL=postgres://x/y'],
  ])('finds the value in "%s"', (text, fact) => {
    expect(texts(text)).toEqual([fact])
  })

  it.each([
    'It is 5.',
    'This is a test.',
    'const limit = 42',
    'if (a is b) { x is 5 }',
    'API_KEY=sk-...',
    'Everything is up-to-date now.',
  ])('finds none in "%s"', (text) => {
    expect(texts(text)).toEqual([])
  })

  it('keeps the last value of a name', () => {
    expect(texts('The limit of K is 5. Later: the limit of K is 7.')).toEqual(['limit of K is 7'])
  })

  it('holds a stated value for more than a sentence with a verb, however many there are of these', () => {
    const noise = Array.from({ length: 400 }, (_, index) => `after some time there is foo_${index}.`).join(
      ' ',
    )
    const facts = extractFacts(`${noise} The region of BUCKET-2 is eu-west-3. ${noise}`, false)
    const [best] = [...facts].sort((a, b) => b.weight - a.weight)
    expect(best?.text).toBe('region of BUCKET-2 is eu-west-3')
  })
})

describe('labelledFacts', () => {
  it.each([
    ['- port: 8080', 'port: 8080'],
    ['**base url**: https://a.example', 'base url: https://a.example'],
    ['端口：8080', '端口：8080'],
    ['I want the timeout raised to 30s today', 'I want the timeout raised to 30s'],
  ])('finds the value in "%s"', (line, text) => {
    expect(labelledFacts(line).map((fact) => fact.text)).toEqual([text])
  })

  it.each(['Note: this is fine', 'well: no', 'a line without a value'])('finds none in "%s"', (line) => {
    expect(labelledFacts(line)).toEqual([])
  })
})
