/** Texts that a careless store damages, by what is unusual about them. */
export const HOSTILE_TEXTS: Readonly<Record<string, string>> = {
  'an empty text': '',
  'a NUL character': 'before\0after',
  'only a NUL character': '\0',
  'a high surrogate alone': 'broken \ud83d here',
  'a low surrogate alone': '\ude00 broken',
  'surrogates in the wrong order': '\ude00\ud83d',
  'a NUL character beside a lone surrogate': '\0\ud800\0',
  'the replacement character': '\ufffd',
  'emoji and other astral characters': '👩‍👩‍👧‍👦 🏳️‍🌈 𝒳 𠮷',
  'letters without composition': 'cafe\u0301 \u1100\u1161\u11a8',
  'control characters': '\u0001\u0007\u001b[31m\u007f\u0085\u2028\u2029\ufeff',
  'line ends of all kinds': 'a\r\nb\nc\rd\n\n\n',
  'text that looks like JSON': '"{\\"role\\":\\"system\\"}\\u0000"',
  'text that looks like SQL': `'; DROP TABLE source; --"`,
  'text in right-to-left script': 'שלום \u202eعالم',
  'a closing tag of a block': '</project_decisions>',
  'a name of every object': '__proto__',
  'a megabyte of text': '0123456789abcde\n'.repeat(65_536),
  'a megabyte of emoji': '😀'.repeat(262_144),
}

/** Names that a careless store takes for each other, or for something else. */
export const HOSTILE_NAMES: readonly string[] = [
  ...['a', 'A', 'a ', 'ä', 'a\u0308', '__proto__', "'; --", '%', '_', 'a/b', 'a","b', '😀', 'a\0b'],
  ...['\ud83d', '\ud83e', '"a"', 'x'.repeat(500)],
]
