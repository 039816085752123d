const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b\\.?'
const DAY = '\\d{1,2}(?:st|nd|rd|th)?'
const YEAR = '(?:,? \\d{4}\\b)?'

const TIMES = new RegExp(
  [
    // 2026-11-23, 2026/11/23; 23.11.2026, 11/23/2026.
    '(?<![\\d.])\\d{4}([-/.])\\d{1,2}\\1\\d{1,2}(?![\\d.])',
    '(?<![\\d.])\\d{1,2}([-/.])\\d{1,2}\\2\\d{4}(?!\\d)',
    // 22:25, 22:25:38.123Z, 10:25 PM, 22:25 GMT+0000; 10 PM.
    '(?<![\\d:])\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?![\\d:])(?: ?[ap]m\\b)?(?: ?(?:z|utc|gmt))?(?: ?[-+]\\d{2}:?\\d{2})?\\b',
    '\\b\\d{1,2} ?[ap]m\\b',
    // Mon, Nov 23, 2026; 23rd of November 2026; November 2026; Monday.
    `\\b(?:mon|tue|wed|thu|fri|sat|sun)\\b(?=,? (?:\\d|${MONTH}))`,
    `\\b${MONTH} ${DAY}\\b${YEAR}`,
    `\\b${DAY}\\.? (?:of )?${MONTH}${YEAR}`,
    `\\b${MONTH},? \\d{4}\\b`,
    '\\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\\b',
    // 2026年11月23日 22時25分 星期一
    '\\d{1,4} ?[年月日時时點点分秒]',
    '(?:星期|週|周)[一二三四五六日天]',
  ].join('|'),
  'gi',
)

/** A text in which all dates and times are the same: those in digits of the common shapes, and those in English words. */
export function withoutTimes(text: string): string {
  return text.replaceAll(TIMES, '\0')
}
