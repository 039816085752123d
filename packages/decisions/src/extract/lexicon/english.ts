import type { Lexicon } from './lexicon.ts'

export const ENGLISH: Lexicon = {
  filler: `ok; okay; k; so; and so; then; please; pls; plz; just; also; too; yes; yeah; yep; sure; well; oh; hmm; hm; fine; great; cool; perfect; alright; all right; right; agreed; as well; btw;
    fwiw; by the way; instead; after all; for now; finally; final; simply; definitely; hence; therefore; thus; everywhere; only that; that is all; thanks; thank you; still; anyway;
    in the end; all the way; though; tho; directly; straight; back; then; first; rather; better; officially; all in; sorry; guys; team; hi; hello; hey; now; only; actually; idea; thing;
    stuff; support; setup; entirely; completely; altogether; hmm ok; entire; no problem; no worries; no rush; no need; only one; last but not least; one more thing; another thing;
    as discussed; going in; quick note; heads up; for sure; of course; more; own; hosted; managed; self-hosted; alone; itself; as usual; here; all of it; all of that; the lot; period;
    full stop; done; settled; noted; great job; nice; awesome; sounds good; works; works for me; deal; lgtm; end of story; end of discussion; fyi; hey team; folks; all good;
    so far so good; good; ah; ahh; oops; wow; again`,
  speaker: `we; i; let's; lets; let us; we'll; i'll; we're; we are; i'm; we've; i've; i have; we have; you; u; everyone; everybody; we all; go ahead and; make sure we; make sure to; make sure you;
    i want you to; i want us to; we decided that; we agreed that; i decided that; y'all; imma; we have to; i have to; we've to`,
  will: `will; will to; need to; shall; should; want to; want to have; want; wanna; would like to; would like; would prefer; would prefer to; would rather; 'd rather; 'd like to; 'd like to have; 'd like;
    i'd like; i'd like to; i'd like to have; i'd rather; i'd prefer; we'd like to; we'd rather; we'd prefer to; need; decided to; have decided to; going to; gonna;
    are going to; be; agreed to; plan to; chose to; always use; definitely will; can; get`,
  choose: `use; using; utilize; go with; going with; went with; go w; go w/; go for; going for; went for; pick; picked; choose; chose; chosen; adopt; adopting; take; taking; prefer; stick with;
    sticking with; stick w; stick to; stay with; stay on; staying with; settle on; settled on; settled for; decided on; decided for; decide on; opt for; opted for; standardize on;
    standardise on; agreed on; keep; keep using; target; rely on; vote for; build with; build on; building with; building in; written in; deploy to; deploy on; deploying to; host on;
    hosting on; run on; running on; format with; lint with; test with; bundle with; style with; authenticate with; cache with; deploy with; deploy via; log with; track with; monitor with;
    ship with; introduce; add; bring in; set up; install; included; go back to; going back to; back to; switch back to; run; go under; license under; release under; relicense under;
    make it; commit to; are on; follow; license it under; roll with; run with; land on; landed on; ended up with; end up with; ending up with; bet on; lock in; locked in; be using;
    start using; starting with; start with; leverage; employ; lean on; make use of; rolling with; write everything in; buy; build everything with; do everything in`,
  change: `switch; switched; switching; move; moved; moving; migrate; migrated; migrating; change; changed; changing; convert; transition; upgrade; upgraded; downgrade; bump; raise; lower; increase;
    decrease; reduce; revert; pivot; shorten; extend; set; fall back; roll back; cut; double; configure; cap; limit; pin; drop it; make; shift; shifting; shifted; flip; jump; hop;
    migrates; moves`,
  replace: `replace; replaced; replacing; swap; swapped; swapping; swap out; exchange; substitute; trade; trade in; trade out; traded`,
  end: `drop; dropped; dropping; ditch; ditched; scrap; scrapped; skip; abandon; abandoned; remove; removed; removing; rip out; kill; axe; toss; throw out; get rid of; got rid of; getting rid of;
    forget about; forget; scratch; never mind; phase out; retire; retired; discontinue; deprecate; cancel; cancelled; canceled; move away from; moving away from; moved away from; move off;
    moving off; moved off; stop using; stopped using; stop relying on; no longer use; no longer using; no longer need; no longer want; no longer rely on; don't need; do not need;
    won't need; don't use any more; done with; are done with; gave up on; give up on; giving up on; was wrong about; were wrong about; been wrong about; no more; lose; leave out; get off;
    sunset; strip; strip out; yank; pull out; throw away; out with; quit; kill off; say goodbye to; stop with; leave behind; walk away from; take out; tear out; decided against; forget what i said about;
    i changed my mind about; i've changed my mind about; changed our minds about; decided not to use; agreed not to use; chose not to use`,
  instead: `instead of; rather than; in place of; over; as opposed to; in lieu of; and not; but not`,
  from: `from; away from; off; off of`,
  to: `to; into; onto; with; by; in favor of; in favour of; out for; over to`,
  becomes: `becomes; become; turns into; →; ->; =>; changes to; changed to; is now; are now; has become`,
  gone: `is gone; are gone; is out; is dead; has to go; must go; can go; goes away; was dropped; is no longer used; is no longer needed; is not needed any more; is not needed anymore; is history;
    is off the table; is retired; is removed; was removed; got dropped; gets dropped; go away; is no more; got removed; has been removed; has been dropped; is being retired;
    is being dropped; is deprecated; is being removed; has been retired; are history; are deprecated; did not make it; is cancelled; is canceled; is scrapped`,
  wins: `it is; it is then; it'll be; it will be; will do; took its place; takes its place; took over; takes over; is our choice; is the choice; is the way to go; is what we use;
    is what we'll use; is what we want; is the one; has been chosen; was chosen; is settled; is back; is what we go with; is the pick; is here to stay; is our default; is final; is decided;
    is what we're using; is our pick; gets my vote; is what i want; is the plan; is confirmed; is agreed; is set; it shall be; is our standard`,
  purpose: `for; as; for all; for all of; as a; as an`,
  place: `in; on; under; via; through; across; inside; within; throughout; behind; of; per; after; below; above; at; between; among`,
  determiner: `the; a; an; our; my; plain; its; new; both; regular; good old; simple`,
  and: `and; plus; &; +; along with; together with; as well as`,
  or: `or; vs; vs.; versus`,
  not: `don't; do not; doesn't; does not; didn't; did not; not; cannot; can't; won't; isn't; aren't; wasn't; no; nothing; haven't; hasn't; wouldn't; shouldn't;
    neither; nor; anything but; hate; hates; dislike; refuse to; avoid; against; ain't; no longer; nobody; no one; none of us;
    none of them; never decided; never agreed; never chose; never said; never wanted`,
  is: `is; are; be; will be; =; means; shall be; should be; gets; equals; is set to; stays at; stays; defaults to; default to; should stay at; is now; are now; should have`,
  label: `stack; tech stack; our stack; decision; decided; final answer; final decision; final call; verdict; conclusion; setup; tools; tooling; choices;
    the decision is; plan; summary; what i want; my pick; my choice`,
  suggest: `suggest; suggesting; recommend; propose; recommendation; suggestion; would use; i'd use; i'd go with; i'd go for; would go with; would go for; would take; i'd take; would pick; i'd pick;
    would choose; i'd choose; would prefer; lean towards; lean toward; leaning towards; how about; what about; could use; can use; might use; you could use; would suggest; would recommend;
    i'd suggest; i'd recommend; my pick; would be my pick; would be a good fit; is a good fit; would fit; works best; would opt for; i'd opt for; add; would move to; recommended; advise;
    favor; favour; would be my choice; may i use; should i use; shall i use; want me to use; would switch to; would stay with; would stay on; i'd stay with`,
  hedge: `maybe; may be; perhaps; might; could; couldn't; would; wouldn't; 'd be; i'd; we'd; suppose; supposing; imagine; wonder; wondering; consider; considering; considered; thinking of;
    thinking about; think about; thought of; thought about; in theory; hypothetically; theoretically; someday; some day; eventually; at some point; down the road; one day; not sure;
    unsure; undecided; unclear; don't know; do not know; no idea; yet; tempted; toying with; curious; possibly; potentially; explore; exploring; evaluate; evaluating; investigate; compare;
    comparing; pros and cons; explain; tbd; for example; for instance; e.g.; such as; for the sake of; say we; one option; an option; options; debating; torn; either; whether; guess;
    probably; hopefully; wish; nice to have; brainstorm; spike; prototype; proof of concept; poc; experiment with; experimenting with; play with; play around with; what if; try; trying;
    not saying; looked at; look at; looking at; i think; or so; kidding; haha; joke; blockchain; they decided; they agreed; they chose;
    someone decided; somebody decided; competitor; competitors; tutorial; customer decided; customer chose; team decided; take that back;
    going back and forth; dunno; can't decide; ask me; lean; lol; just kidding; may`,
  condition: `if; in case; assuming; provided; were we to; had we; should we ever; when; whenever; as long as; until; once`,
  reports: `says; said; say; saying; told; tells; claims; claimed; claim; thinks; insists; insisted; asked; asks; wants; wanted; wants us to; prefers; preferred; mentions; mentioned; advises; advised;
    argues; argued; believes; believed; demands; demanded; swears by; likes; loves; according to; heard; reads; i read; wrote; writes; states; stated; reported; reports; quote; quotes;
    rumor; rumour; pushes for; pushed for; voted; would like us to; keeps telling; apparently; allegedly; expects`,
  past: `used to; used; was; were; had; did; previously; originally; back then; back in; at my last job; at my old job; at my previous job; last year; last month;
    years ago; months ago; ago; in the past; before that; once; ran on; ran; been using; has been; have been; would have; should have; could have;
    formerly; until now; at first; used to be; back when; wrote it in; once upon`,
  foreign: `old; legacy; previous; their; theirs; his; her; hers; your; yours; partner; partners; partner's; vendor; vendors; vendor's; supplier; suppliers; supplier's; other; another; this; these; that; those; customer; customers; client's; competitor; competitors; upstream; most; some; many; people; they;
    he; she; someone; somebody; users; else's; tutorial; example; examples; current; existing; colleague; boss; vendor; guy; friend; friends; half; them; him; us; one; two; three; several;
    vendored; error; errors; bug; bugs; problem; problems; trouble; issue; issues; question; questions; fails; failing; failed; fail; broken; broke; crash; crashes; crashed; hangs; slow;
    warning; warnings; exception; docs page; stuck; debugging; experience; familiar; similar; pass; passes; passed; works; worked; looks; interested; happened; happens; complains;
    complaining; wrong with; everybody else; there; leaks; leak; missing; screenshot; attached; makes sense; dump; lunch; noon; it`,
  time: `today; yesterday; tomorrow; tonight; right now; currently; at the moment; this week; next week; last week; this morning; this time; monday; tuesday;
    wednesday; thursday; friday; saturday; sunday; weekend; week; month; year; day; morning; afternoon; evening; meeting; sprint; moment; time; minute;
    while; seconds ago; so far; already`,
  but: `but; however; although; whereas; except; while; and then; so that; even though`,
  because: `because; because of; since; due to; thanks to; given that; in order to; so we can; reason; as we; as it; to avoid; to reduce; to save; to keep; to make; to simplify; to stay; to get;
    so it; so everyone`,
  question: `what; which; why; how; when; where; who; whose; do we; do i; do you; do they; does; did; should we; should i; shall we; could we; could you; can we;
    can you; can i; would you; would it; is it; is there; is this; is that; are we; are there; is the; are the; was it; has anyone; have we; will it;
    will we; what's; how's; wat; hows; won't it; isn't; aren't; am i; any idea; may i; shall i; want me to; do you want; do you want me to;
    would you like me to; would you like`,
  always: `always; at all times; without exception; no exceptions; from now on; going forward; as a rule; in all cases; on every; before every; after every; from here on; from here on out`,
  never: `never; never ever; under no circumstances; not ever; don't ever; do not ever; must never; at no time; by no means; dont ever`,
  must: `must; must not; mustn't; may not; has to; have to; shall; shall not; should always; should never; is mandatory; are mandatory; is forbidden;
    are forbidden; is not allowed; are not allowed; isn't allowed; aren't allowed; not allowed; is required; are required; may only; can only; may be;
    is off-limits; are off-limits; off-limits; prohibited; is prohibited; are prohibited; mandatory; forbidden; must be; must have; is banned;
    are banned`,
  every: `every; each; all; no; nothing; only; any; none of`,
  bound: `at most; max; max.; maximum; maximum of; a maximum of; no more than; up to; not more than; minimum; min; min.; at least; no less than; a limit of;
    limit of; every; exactly; more than`,
  limited: `is limited to; are limited to; limited to; is capped at; are capped at; capped at; expire after; expires after; expire in; times out after; are kept for; is kept for; kept for;
    are retained for; retained for; default to; defaults to; is set to; are set to; is fixed at; set at; rotate after; are rotated after; runs at; run at; starts with; start with;
    are deleted after; is fixed to; are cached for; is cached for; runs every; run every; time out after; timeout after; timed out after; may take; are limited at; is bounded by; holds;
    hold`,
  setting: `timeout; timeouts; time-out; retries; retry; attempts; limit; limits; port; ports; size; sizes; count; interval; ttl; delay; threshold; thresholds; workers; worker count; threads;
    concurrency; parallelism; replicas; instances; pool; pool size; width; length; depth; height; rate; budget; level; quota; temperature; duration; expiry; expiration; lifetime; max age;
    period; capacity; batch; batch size; window; seed; locale; chunks; chunk size; buffer; buffers; buffer size; dropout; sample rate; decay; momentum; weight; speed; retention; debounce;
    throttle; backoff; factor; ratio; precision; tolerance; coverage; heap; shards; partitions; connections; tokens; iterations; epochs; dimensions; radius; opacity; padding; margin; gap;
    offset; fps; frequency; cooldown; poll interval; polling; heartbeat; keepalive; keep-alive; page size; line length; log level; resolution; quality; hops; rounds; bits; backlog; mode;
    tab width; grace period; folds; horizon; early stopping; baud rate; prefix; lives; frame rate; time step; nodes; quorum; watermark; jitter; lease; cutoff; cap; log rotation; ping;
    keep alive; sampling; bitrate; bit rate; duty cycle; brightness; volume; voltage; gain; baud; stack size; heap size; queue size; queue length; cache size; max connections; max size;
    cache ttl; slots; grace; window size; top k; learning rate; warmup; hidden size; layers; heads; embedding size; patience; test split; validation split; test size; split; zoom; scale;
    gravity; health; ammo; spawn rate; tick rate; fov; draw distance; font size; border radius; refresh interval; polling interval; sync interval; update interval; age; retention period;
    retention time; cpu; memory; disk; instance count; node count; rate limit; burst; session lifetime; token lifetime; idle time; idle timeout; lock timeout; lease time; deadline;
    error budget; coverage threshold; line width; complexity; tab size; version; vat; tax; discount; fee; commission; rounding; decimals; digits; bandwidth; sampling rate; sample period;
    scan interval; wake-up interval; advertising interval; tx power; payload; population; mutation rate; neighbours; clusters; components; k; lag; lookback; window length; time window;
    cut-off; significance level; confidence level; alpha; tick; max depth; chunk; page limit; page length; password length; items per page; pages; history; depth limit; log size;
    file size; image size; bundle size; upload size; attempts per minute; minimum; maximum`,
  rename: `rename; renamed; renaming; call; name`,
  named: `is called; are called; is named; is now called; is now; becomes; should be called; should be named; will be called; is renamed to; gets renamed to;
    gets renamed; shall be called; be called`,
  build: `write; build; create; implement; develop; code; store; persist; deploy; host; manage; handle; test; bundle; format; lint; style; render; do; writing; building; developing; model; parse;
    log; track; monitor; authenticate; serve; publish; ship; keep; put; rewrite; cache; queue; send; validate; secure; orchestrate; script; compile; generate; package; train; plot; draw;
    document; index; schedule; provision; automate; sync; collect; measure; process; encrypt; hash; stream; expose; release; scaffold; perform; calculate; wire; wrap`,
  without: `without; unless`,
  units: `ms; milliseconds; millisecond; µs; us; s; sec; secs; second; seconds; m; min; mins; minute; minutes; h; hr; hrs; hour; hours; d; day; days; week; weeks; month; months; year; years; kb; mb;
    gb; tb; kib; mib; gib; b; bytes; bit; bits; kbit; mbit; mbps; %; percent; px; rem; em; pt; dpi; hz; khz; mhz; ghz; fps; rps; qps; tokens; chars; characters; words; lines; rows; items;
    records; entries; samples; rounds; steps; folds; requests; retries; times; attempts; tries; workers; threads; connections; replicas; instances; nodes; spaces; columns; messages; pages;
    points; levels; users; k; baud; bps; mm; cm; km; v; mv; ma; w; utc; am; pm; epochs; units; requests per second; requests per minute; requests/s; req/s; per second; per minute;
    per hour; per day; a day; a minute; files; events; hops; people; seats; lives; players; floors; cores; gb ram; vcpu; vcpus; pods; shards; partitions; documents; tables; per page;
    items per page; dbm; watts; volts; degrees; °c; kg; g; l; ml; rpm; bpm; digits; decimals; bars; ticks; frames; layers; heads; trees; clusters; components; nights; sprints; quarters;
    quarter; approvals; reviewers; tasks; jobs; photos; images; per user; per ip; per client; a second; an hour; a week; per week; mw; kw; nm; µm; °; s/s; turns; cards; moves; slots;
    places; decimal places; years old; working days; business days; calendar days; generations; candidates; trials; seeds; runs; batches`,
  numbers: `a; an; one; two; three; four; five; six; seven; eight; ten; twelve; fifteen; twenty; thirty; forty; sixty; ninety; hundred; half an`,
  yes: `yes; yeah; yea; yep; yup; yes pls; sure; ok; okay; k; kk; absolutely; definitely; of course; go ahead; go for it; do it; do that; do so; do all;
    sounds good; sounds great; sounds fine; sounds right; sounds like a plan; looks good; looks great; lgtm; sgtm; agreed; i agree; please do;
    that works; works for me; fine by me; fine with me; that's fine; approved; accepted; make it so; ship it; let's do it; let's do that; let's do this;
    let's go; let's go with that; let's go with it; let's go with your suggestion; let's go with what you said; go with that; go with it;
    go with your suggestion; go with your recommendation; i like it; i like that; good idea; good call; good plan; good choice; great idea; exactly;
    correct; perfect; great; fine; alright; all right; sold; convinced; i'm in; makes sense; why not; by all means; fair enough; affirmative; wfm;
    good by me; confirmed; deal; both; both ok; both please; all of them; 👍; ✅; 👌; +1; wonderful; nice; cool; proceed; proceed with that;
    go ahead with it; go ahead with that; take it; add it; use it; that one`,
  no: `no; nope; nah; yeah right; not that; not really; not now; not yet; don't; do not; neither; none; wait; stop; hold on; no thanks`,
  correction: `actually; correction; scratch that; strike that; on second thought; on second thoughts; upon second thought; wait, no; wait no; no, wait; wait;
    change of plan; change of plans; my mistake; my bad; i was wrong; i was wrong about that; i misspoke; i changed my mind; i've changed my mind;
    i take that back; i take it back; no; nope; let me correct myself; let me correct that; after some thought; hmm; instead; after all; from now on;
    no longer; not; now; back to; i mean; i meant; i meant to say; meant to say; make that; oops; whoops; typo; sorry; or rather; changed my mind`,
}
