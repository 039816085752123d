/** Verbs whose object is the choice, in the forms that a speaker uses of himself. */
const CHOOSE =
  '(?:use|using|go(?:ing)? (?:ahead )?(?:with|w/?|for)|stick(?:ing)? (?:with|w/?|to)|stay(?:ing)? (?:with|on)|switch(?:ing)? (?:over )?to|mov(?:e|ing) (?:over )?to|migrat(?:e|ing) to|adopt(?:ing)?|cho?ose|choosing|chosen|pick(?:ed|ing)?|prefer|opt(?:ed|ing)? for|settl(?:e|ed|ing) (?:on|for)|decid(?:e|ed) (?:on|for|in favou?r of|to (?:use|go with|adopt))|agree(?:d)? (?:on|to use)|commit(?:ted)? to|standardi[sz](?:e|ed) on|land(?:ed)? on|rely on|follow(?:ing)?|keep (?:using|on using)|vote for|favou?r)'
/** Verbs that say what is done with a thing; what it is done with is the choice. */
const MAKE =
  '(?:move|migrate|port|convert|rewrite|build|write|implement|model|store|put|keep|save|run|deploy|host|serve|publish|ship|handle|manage|track|solve|do|cache|test|lint|render|parse|sign|send|draw|plot|train|generate|bundle|package|log)'

/** What the speaker does himself, or orders. */
const OWN = String.raw`(?:^|[,;:(–—]\s*|\b(?:and|so|then|ok|okay|yes|no|please|also|decision|decided|but|now|instead|therefore)[,:.\s]\s*)(?:(?:let's|lets|let us|we'll|we will|i'll|i will|we're|we are|i'm|we|we've|i've|we have|i'd|i would|i|team|everyone)\s+)?(?:(?:just|all|now|have|rather|definitely|always|will|should|must|want to|would|need to|going to|gonna|to|decided to|agreed to|prefer to|plan to|simply|like to)\s+)*`

/** The speaker's own choice, in words that leave no doubt; `rest` may be anything. */
export const CHOOSES = new RegExp(
  String.raw`${OWN}(?:(?:final |the |our )?(?:decision|choice|pick|verdict|answer)(?: is)?:?|${CHOOSE})\s+(?<rest>\S.*)$`,
  'iu',
)

/** "Shall I use …", "want me to move the features to …". */
const PROPOSAL = String.raw`(?:\b(?:shall|should|may|can|could|might) (?:i|we|you)|\b(?:want|would you like|do you want|like|okay if|ok if|fine if|mind if) (?:me to|us to|i|we)|\b(?:i|we) (?:suggest|propose|recommend|advise)(?: (?:that )?(?:we|you|to))?|\b(?:i'd|i would|i'd rather|you could|we could|we can|you should|we should|let's|let us)|\b(?:suggestion|recommendation|proposal|idea|plan|my vote|my pick)(?: is|:)(?: to)?)`
export const PROPOSES = new RegExp(
  String.raw`${PROPOSAL}(?:\s+(?:then|just|also|simply|instead|perhaps|maybe|rather|simply))*\s+(?:(?<verb>${CHOOSE})\s+(?<rest>\S.*)|${MAKE}\s+(?:[\p{L}\d'-]+\s+){0,4}?(?<link>to|in|with|on|by|via|through|using|under|as)\s+(?<means>\S.*))$`,
  'iu',
)
/** "How about …", "I suggest …": what is suggested comes at once. */
export const SUGGESTS =
  /\b(?:how about|what about|(?:i'm|i am) thinking of|my default would be|i (?:suggest|propose|recommend|vote for)|(?:suggestion|recommendation|proposal|my (?:pick|vote)):)\s+(?:using\s+|going with\s+|we use\s+)?(?<rest>\S.*)$/iu

/** A phrase that can be chosen, with what is behind it. */
export const PHRASE =
  /^(?:(?:an?|plain|simple|just)\s+)*(?<what>[\p{L}\d][\p{L}\d+#./'-]*(?:\s+(?!for\b|in\b|on\b|as\b|to\b|at\b|from\b|with\b|and\b|or\b|but\b|when\b|if\b|until\b|instead\b|not\b|rather\b|please\b|so\b|because\b|since\b|everywhere\b|only\b|then\b|here\b|there\b|now\b|over\b|by\b|of\b|via\b|per\b|that\b|which\b|is\b|are\b|throughout\b|inside\b|between\b|after\b|before\b|under\b|unless\b|while\b)[\p{L}\d][\p{L}\d+#./'-]*){0,3})\s*(?<tail>$|[.,;!?(–—].*|(?:for|in|on|as|everywhere|instead|not|rather|please|only|then|here|now|over|from now on|with|of|per|throughout|inside|between|unless|and|at|by)\b.*)$/iu
/** "strings it is", "linear is plenty": a verdict on a phrase. */
export const VERDICT =
  /^\W*(?:(?:ok|okay|alright|right|fine|so|then|yes|well|good)[,.]?\s+)*(?<what>(?!(?:that|this|it|there|here|what|how|so|the|who|which|where|when|why|all|everything|nothing|one|he|she)\b)[\p{L}\d][\p{L}\d+#./'_-]*(?:\s[\p{L}\d][\p{L}\d+#./'_-]*){0,2}?)\s+(?:it is(?: then)?|it'll be|wins|is (?:plenty|enough|sufficient|good enough|fine(?: for (?:us|now|me))?|all (?:we|i) need|what (?:we|i) (?:want|need)|the way to go|the one|settled|decided)|will do|would do nicely)\s*(?:[.!,;]|$|\b(?:for|then|because)\b)/iu

/** What only points at something, or is said of the work at hand. */
export const POINTS =
  /^(?:the|this|that|these|those|it|them|same|my|your|his|her|their|our|existing|another|other|more|less|some|any|all|both|one|first|second|third|last|what|which|whatever|anything|something|nothing|everything|you|me|us|to|not|no|option|number|default|defaults|caution|care|common|good|best|better|whichever|here|there|as|at|in|on|up|down|ahead|back|help|please|sure|now|for|a|an|git|grep|curl|bash|sed|find|cat|ls|tool|tools|subagents?|websearch|search|web|google|time|look|notes?|place|part|action|advantage|over|out|off|turns?|a (?:look|break)|into|with|i|we|he|she|they|how|when|where|why|who)\b/i
