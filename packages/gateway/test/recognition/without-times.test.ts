import { expect, test } from 'vitest'
import { withoutTimes } from '../../src/recognition/prefix-hashes.ts'

test.each([
  ['Today is Monday.', 'Today is Wednesday.'],
  ['Now: 2026-11-23T22:25:38.123Z', 'Now: 2027-01-02T03:04:05.678Z'],
  ['Now: 2026-11-23 22:25:38+01:00', 'Now: 2026-11-24 02:05:00+01:00'],
  ['Date: 11/23/2026, 10:25 PM', 'Date: 1/2/2027, 9:05 AM'],
  ['Stand 23.11.2026, 22:25 Uhr', 'Stand 2.1.2027, 03:04 Uhr'],
  ['Mon Nov 23 2026 22:25:38 GMT+0000 (UTC)', 'Tue Dec 1 2026 02:05:00 GMT+0100 (UTC)'],
  ['It is November 23rd, 2026, about 10 pm', 'It is May 2nd, 2027, about 4 am'],
  ['on 23 November 2026', 'on 3 May 2027'],
  ['knowledge cutoff: June 2026', 'knowledge cutoff: Sept. 2026'],
  ['今天是2026年11月23日 星期一 22時25分', '今天是2027年1月2日 星期六 3時04分'],
])('“%s” and “%s” are the same text', (one, other) => {
  expect(withoutTimes(one)).toBe(withoutTimes(other))
})

test.each([
  ['You help Alice.', 'You help Bob.'],
  ['user 1763900000', 'user 1763900001'],
  ['version 1.2.3', 'version 1.2.4'],
  ['server 10.0.0.1', 'server 10.0.0.2'],
  ['room 17', 'room 18'],
  ['You may answer', 'You must answer'],
  ['ratio 2/3', 'ratio 3/4'],
  ['src/app.ts:12', 'src/app.ts:13'],
])('“%s” and “%s” are not', (one, other) => {
  expect(withoutTimes(one)).not.toBe(withoutTimes(other))
})
