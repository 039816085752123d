import { createTermMatcher } from '../../search/find-term.ts'
import type { CandidateQuery, SearchTerm } from '../../store/lcm-session.ts'

/** Messages of many scripts, by their numbers. */
export const TEXTS = [
  /* 0 */ 'The quick brown fox',
  /* 1 */ 'QUICK_fox jumps; über Zürich 42',
  /* 2 */ 'foxes and quicksilver',
  /* 3 */ '東京で寿司を食べた',
  /* 4 */ '中文搜索 and 한국어 검색',
  /* 5 */ 'src/app/main.ts:12 "quoted" 100% a-b a_b isn\'t C:\\new',
  /* 6 */ 'ÜBER ΣΊΣΥΦΟΣ Ёлка',
  /* 7 */ 'emoji 👩‍👩‍👧 here 𠮷野家 300 \u212a \u017fun',
  /* 8 */ 'fox\nquick\nfox',
  /* 9 */ 'cafe\u0301 x1y2 naïve',
]

/** The terms to be found in them, by kind and text. */
export const TERMS: readonly [SearchTerm['kind'], string, readonly number[]][] = [
  ['word', 'fox', [0, 8]],
  ['word', 'FOX', [0, 8]],
  ['word', 'quick', [0, 8]],
  ['word', 'quick_fox', [1]],
  ['word', 'über', [1, 6]],
  ['word', 'ёлка', [6]],
  ['word', '42', [1]],
  ['word', 'a', [5]],
  ['word', 'a_b', [5]],
  ['word', 'main', [5]],
  ['word', 'absent', []],
  ['prefix', 'fox', [0, 2, 8]],
  ['prefix', 'QUICK', [0, 1, 2, 8]],
  ['prefix', 'q', [0, 1, 2, 5, 8]],
  ['prefix', 'zür', [1]],
  ['prefix', '中文', [4]],
  ['substring', 'ick', [0, 1, 2, 8]],
  ['substring', 'OX', [0, 1, 2, 8]],
  ['substring', 'o', [0, 1, 2, 5, 7, 8]],
  ['substring', '食', [3]],
  ['substring', '寿司', [3]],
  ['substring', '東京で', [3]],
  ['substring', '食べた', [3]],
  ['substring', '文搜', [4]],
  ['substring', '국', [4]],
  ['substring', '검색', [4]],
  ['substring', '𠮷', [7]],
  ['substring', '👩', [7]],
  ['substring', '.ts:1', [5]],
  ['substring', '"quoted"', [5]],
  ['substring', '0%', [5]],
  ['substring', '%', [5]],
  ['substring', 'a-b', [5]],
  ['substring', 'x\nq', [8]],
  ['substring', "n't", [5]],
  ['substring', ':\\N', [5]],
  ['substring', '\\', [5]],
  ['word', 'new', [5]],
  ['word', 'k', [7]],
  ['prefix', 'SU', [7]],
  ['substring', ' sun', [7]],
  ['substring', 'ber', [1, 6]],
  ['substring', 'σίσ', [6]],
  ['substring', 'ΣΊΣ', [6]],
  ['substring', 'ZÜR', [1]],
  ['prefix', 'ЁЛ', [6]],
  ['substring', 'ё', [6]],
  ['substring', 'ïv', [9]],
  ['substring', '\u0301', [9]],
  ['substring', 'zzz', []],
]

/** The rows that really match, of those that may. */
export function exactly<T extends { readonly text: string }>(
  rows: readonly T[],
  { where }: Pick<CandidateQuery, 'where'>,
): T[] {
  const matches = createTermMatcher(where)
  return rows.filter(({ text }) => matches(text))
}
