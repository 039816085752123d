/** Words that point at the work at hand or at a moment: a sentence with them lays down nothing that lasts. */
export const AT_HAND =
  /\b(?:these|those|this (?!repo|project|codebase|code base|library|service|package|module|app|team|api|product)\p{L}+|both|all (?:two|three|four|five|six|seven|eight|nine|ten|\d+)|somewhere|somehow|again|tonight|today|tomorrow|yesterday|at noon|in here|the same (?:bug|typo|problem|error|mistake|issue|line)|attached|hurry)\b/iu
/** Something that is to be done once, or a guess at what is the matter. */
export const TASK =
  /^\W*(?:(?:and|so|but|ok|well|hm+)[,\s]+)*(?:the|my|your|his|her|these|those|this|that|both|some|someone|somebody)\s.*\b(?:needs?|ha(?:s|ve)) to (?:be (?:fixed|joined|updated|changed|added|removed|rewritten|checked|merged|renamed|moved|done|reviewed|green|cleaned|looked|investigated|split|refactored|migrated|fast|faster|finished|ready)|work|pass|land|go out|happen)\b|\b(?:may|might) (?:have|need) to\b|\b(?:issue|bug|problem|error|culprit|cause|reason|mistake|leak|answer|fault)s? (?:must|has to|have to) (?:be|lie|come|sit)\b|\b(?:must|has to|have to) be (?:the|in the|somewhere|something|someone|because|why|a (?:bug|typo|mistake|problem))\b/iu
/** Laughter, and what says of itself that it is not meant. */
export const JOKE =
  /(?<=\S\s)(?:lol|lmao|rofl|haha\w*|hehe\w*)(?=\W*$)|\b(?:just kidding|kidding|jk|joking|only joking|half joking|just a joke|as the (?:old )?saying goes|so they say|obviously nobody)\b|[😂🤣😜😅]|(?:^|\s)(?:;-?\)|:-?D|:-?P|xD)(?=\s|$)/iu
/** "It is not true that …", "I never said that …", and what somebody's text is: "the exam question was: …". */
export const DENIED =
  /\b(?:(?:it is|it's|that is|that's) (?:not|n't|hardly) (?:true|so|the case|as if|like)|(?:never|didn't|did not|don't|do not|haven't|wasn't) (?:say|said|saying|mean|meant|claim\w*|state\w*|write|wrote|written) that|as (?:you|we) can see|as seen above)\b|^\W*(?:the|my|our|his|her|their|an?|one) (?:[\p{L}-]+ ){1,4}(?:was|were|reads?|asks?|asked|goes|went|stated?|states)\s*:/iu
/** Plurals and what is seen of them, which is no rule. */
export const SEEN =
  /\bare (?:attached|shown|visible|displayed|swallowed|listed|pushed|cached somewhere|included|loading|fixed|merged|deployed|below|above|missing|open|closed)\b|^\W*(?:real|true|good|bad|most|old|young)?\s*(?:programmers|developers|engineers|friends|managers|men|women|kids|cats|dogs|good things|things)\b|^\W*(?:all )?good things\b|\b(?:i (?:checked|looked|tested|verified|saw|think)|too (?:early|late|often|long|slow\p{L}*|fast|much|many)|forever|twice|part is fine|as expected|look into|by the bot)\b|^\W*nothing (?:works|worked|happens|helps|changes)\b/iu
/** What names a value that is there already. */
export const AS_IT_IS = /^(?:the )?(?:current|existing|old|previous|actual|present|last|former|resulting)\b/i
