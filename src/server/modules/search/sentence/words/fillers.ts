/** Words that ask for nothing by themselves. */
export const fillers =
  'a, an, the, and, or, but, nor, so, if, then, than, that, thats, this, these, those, there, theres, here, it, its, as, of, to, ' +
  'in, on, at, by, for, from, with, into, onto, off, out, up, down, over, under, about, around, after, before, during, between, ' +
  'through, against, within, without, since, until, till, while, because, cos, cause, coz, due, like, via, per, plus, also, ' +
  'too, very, really, quite, just, only, even, still, yet, again, already, ever, never, always, often, sometimes, usually, ' +
  'lately, recently, currently, now, maybe, perhaps, possibly, ideally, preferably, probably, hopefully, basically, literally, ' +
  'honestly, actually, especially, mainly, mostly, i, im, ive, id, ill, me, my, mine, myself, you, your, youre, yours, we, ' +
  'were, weve, us, our, ours, he, hes, him, his, she, shes, her, hers, they, theyre, theyve, them, their, theirs, who, whos, ' +
  'whom, whose, which, what, whats, when, where, why, how, hows, am, is, are, was, be, been, being, isnt, arent, wasnt, ' +
  'do, does, did, doing, done, dont, doesnt, didnt, have, has, had, having, havent, hasnt, can, could, couldnt, cant, ' +
  'cannot, will, would, wouldnt, wont, should, shouldnt, shall, may, might, must, need, needs, needed, needing, want, wants, ' +
  'wanted, wanting, wanna, gonna, gotta, get, gets, getting, got, go, goes, going, gone, went, come, comes, coming, ' +
  'looking, look, looks, looked, find, finding, found, search, searching, seek, seeking, try, trying, tried, ' +
  'know, knows, knew, think, thinking, thought, thoughts, feel, feels, feeling, feelings, felt, seem, seems, keep, keeps, kept, ' +
  'see, seeing, seen, saw, talk, talks, talking, talked, speak, speaks, speaking, spoke, say, says, said, tell, told, listen, ' +
  'listens, listening, ask, asking, hear, help, helps, helped, helping, helpful, support, supports, supported, supportive, ' +
  'struggle, struggles, struggling, struggled, suffer, suffers, suffering, suffered, suffer, deal, deals, dealing, cope, ' +
  'coping, handle, manage, managing, work, works, working, worked, treat, treats, treating, treatment, offer, offers, ' +
  'offering, provide, provides, specialise, specialises, specialising, specialised, specialize, specializes, specialist, ' +
  'specialists, specialism, expert, experts, experience, experienced, experiencing, trained, training, qualified, ' +
  'understand, understands, understanding, make, makes, making, made, take, takes, taking, took, use, uses, using, used, ' +
  'book, booking, available, availability, free time, appointment, appointments, session, sessions, slot, ' +
  'someone, somebody, anyone, anybody, everyone, person, people, one, ones, something, anything, everything, nothing, thing, ' +
  'things, stuff, lot, lots, bit, much, many, more, most, less, some, any, all, both, either, other, others, another, each, ' +
  'every, same, such, own, no, not, yes, yeah, yep, nope, ok, okay, please, pls, plz, thanks, thank, thx, cheers, ta, hi, hello, ' +
  'hey, hiya, dear, dr, mr, mrs, ms, miss, prof, professor, morning all, sorry, mate, therapist, therapists, therapy, therapies, therapeutic, counselling, counseling, ' +
  'councelling, counciling, councilling, counselled, practitioner, practitioners, professional, professionals, provider, ' +
  'mental, health, wellbeing, wellness, emotional, emotionally, psychological, problem, problems, issue, issues, difficulty, ' +
  'difficulties, concern, concerns, matter, trouble, troubles, condition, symptoms, disorder, danger, diagnosis, diagnosed, ' +
  'assessment, kind, kinds, sort, type, types, way, ways, time, times, years, year, months, month, weeks, week, days, day, ' +
  'hour, hours, long, ages, ago, last, past, back, first, next, couple of, bad, badly, worse, worst, severe, severely, mild, ' +
  'terrible, awful, horrible, hard, difficult, tough, rough, big, huge, massive, serious, seriously, little, small, whole, ' +
  'constantly, constant, non stop, completely, totally, extremely, super, proper, dead, well, better, best, right, ' +
  'based, live, lives, living, area, local, prefer, prefers, prefered, preferred, preference, rather, wish, hope, hoping, ' +
  'love, want to, let, lets, start, starting, started, stop, stopping, stopped, ' +
  'give, given, put, set, self, life, up to, u, ur, r, n, im looking, etc, eg, ie, aka, though, although, however, ' +
  'therefore, anyway, especially, instead, else, meet, meeting, met, ya, tbh, idk, btw, fyi, atm, rn, ' +
  'suitable, good for, language, languages, speaker, speakers, cover, covered, covers, accept, accepts, accepting, ' +
  'budget, price, cost, costs, pay, paying, afford, pounds, quid, gbp, patient, client, clients, patients, anymore, near, nr, close, survivor, survivors, husband, wife, partner, ' +
  'boyfriend, girlfriend, hubby, missus, s, t, ll, ve, re, m, d'

/** Wishes that ask for nothing that a filter could narrow. */
export const understood =
  'someone to talk to, somebody to talk to, talking therapy, talking therapies, talk therapy, to talk to, on the nhs waiting list, ' +
  'all the time, at the moment, right therapist, mental health, find me, help me, i need help, need help, ' +
  'in the uk, in england, in britain, in great britain, uk based, a lot, any gender, either gender, any day, any time, ' +
  'anytime, any price, any therapist, any language, doesnt matter, dont mind, no preference'

/** Ordinary words that are a typing mistake away from a word of the lists, and are none. */
export const ordinaryWords =
  'actual, mediation, mediator, adapted, adaption, adding, addition, aimed, along, amuse, amused, angel, angle, animal, annual, ' +
  'argument, artist, artistic, asked, asking, attach, attached, aunts, babies, backed, backing, baker, baking, ' +
  'balking, banger, banish, beach, bearing, bedding, bending, billed, bills, binding, blame, blank, block, board, ' +
  'boards, boast, bodies, bolder, books, boost, boots, border, bored, bread, breadth, breath, breaths, breed, ' +
  'bride, briefs, bright, bring, broker, brothers, brown, building, built, bunny, burst, bursts, butter, cable, ' +
  'cancel, candy, cards, careless, carried, carts, carve, casual, cater, cattle, chance, chances, charge, charges, ' +
  'charts, cheap, cheaper, cheat, cheese, chess, chests, choice, choices, circle, cities, class, clearing, clock, ' +
  'clocks, clone, closed, closing, cloth, clothes, clubs, coarse, coast, coffee, colder, cooking, cooks, couch, ' +
  'cough, courses, cousin, cousins, cream, created, creating, creature, creed, creek, crime, crush, crusty, curry, ' +
  'curse, curve, cycle, daddy, dance, dancer, daring, deaths, dental, derby, derive, desks, difference, dining, ' +
  'dinner, disks, diving, donkey, dough, drain, dream, driven, driver, drivers, drives, drying, dusky, dusty, ' +
  'earring, earth, eight, equal, error, errors, example, facial, fading, faking, faster, fatal, favour, fearing, ' +
  'feeding, ferry, fever, fiance, fiancee, fifty, fight, fights, filled, final, finance, finances, fining, finish, ' +
  'fists, flame, flash, flavour, flight, flood, focal, folder, force, formal, forty, freight, fresh, fried, frying, ' +
  'funding, funny, gamer, gather, gearing, giving, grading, grain, grand, granny, greed, green, greet, grime, ' +
  'guiding, guild, hacking, hanger, happening, happy, haste, hating, having, heading, hearts, heating, height, ' +
  'hiding, hills, hired, hobbies, hobby, hockey, holder, holiday, holidays, homeless, honey, honor, hooking, hooks, ' +
  'horse, hostel, hotel, humor, hurry, husky, inter, jockey, joker, kettle, kicking, kissed, knight, knives, ' +
  'labour, later, latter, leading, leaves, leeds, lending, letters, level, lever, licking, light, lining, lists, ' +
  'little, lively, liver, lives, loaves, looks, loved, lovely, lover, loving, lower, loyal, lucky, luton, lying, ' +
  'magic, maker, manger, manual, marked, market, marking, marks, marry, masked, master, match, mating, meanings, ' +
  'medal, mending, merry, messages, metal, meter, metre, miles, mills, miner, mining, minister, minor, mirror, ' +
  'missed, mister, mists, modal, model, mommy, monkey, months, mortal, mothers, mouse, mouth, mummy, mutual, named, ' +
  'names, naming, nanny, nearing, neighbour, neighbours, nephew, nerve, niece, nobel, noble, normal, north, novel, ' +
  'nurse, nurses, opening, orange, order, orders, overdone, packed, packing, painless, paint, parish, parking, ' +
  'parks, parts, party, pasta, paste, peace, pending, peter, picked, piece, pieces, places, plain, plane, plaster, ' +
  'points, poker, polls, poster, prices, pride, prime, print, prints, prize, prone, proved, proving, prying, ' +
  'purple, purse, queen, queens, question, quiet, quilt, quite, racking, range, ranger, rating, reach, reading, ' +
  'reference, remove, removed, rental, retire, riding, rights, risks, risky, rival, river, rivers, roast, rocks, ' +
  'roost, roots, roster, rough, royal, rumour, rusty, sacking, sales, sample, saving, scare, scarf, scarred, ' +
  'seating, selves, sending, separate, serve, serves, services, setter, settle, settled, shade, shaking, shape, ' +
  'share, shared, sharing, shave, sheep, sheet, sheets, shelf, shirt, shirts, shocking, shook, shoots, shorts, ' +
  'shots, siding, sights, signal, simile, simple, singles, sinner, sisters, skill, skilled, skirt, slight, slots, ' +
  'small, smell, smile, smiles, smoker, soaking, socials, socks, south, space, spare, spared, special, spell, ' +
  'spill, sport, sports, spots, spring, sprint, square, stable, stack, staff, stale, stared, staring, state, ' +
  'stated, steep, stick, sticking, sticks, sticky, still, stock, stoke, stokes, stone, strange, stranger, strict, ' +
  'strike, string, strive, strong, struck, student, students, studies, study, stuff, stupid, style, styles, ' +
  'sucking, sugar, sunny, table, tables, tacking, taker, talker, taming, taped, tapes, tasks, taste, teach, ' +
  'teacher, teachers, tearing, teeth, temple, tending, terms, terrace, terror, thinner, thirst, thirsty, thirty, ' +
  'though, threads, threat, threats, thrive, thrives, throne, ticking, timed, title, titles, toast, toffee, token, ' +
  'tooth, total, touch, tough, track, tracks, tract, trading, trail, train, trains, trash, travel, traveller, ' +
  'treat, treated, trench, trending, trial, tribe, trick, tricks, truck, trusty, truth, tumour, turkey, twenty, ' +
  'twist, uncle, uncles, usual, vanish, visual, vocal, voiced, wading, walker, waste, waters, waves, wearing, ' +
  'wedding, weigh, weighs, wheat, whisky, window, winner, wired, wives, woken, wolves, worker, workers, world, ' +
  'worst, wrist, writing, youth, ' +
  'bands, bears, beast, boats, bumped, changed, charming, crown, drawn, dumping, eaten, eating, farming, ' +
  'filling, fitting, grown, handed, handing, harding, joked, jumper, lands, mattered, matters, noting, packets, ' +
  'pants, picks, pinch, pocket, popped, popping, pulls, putting, raced, races, raged, rapid, rated, rates, ' +
  'raved, scaled, scored, selling, shallow, sitting, slashes, slips, snapped, spending, spills, splash, stars, ' +
  'stash, stats, stays, stopped, swapped, swapping, swaps, tapped, thinks, thrown, throws, thrust, ticked, ' +
  'ticks, turner, violet, voice, waited, waits, warming, wasted, wasting, willing'

/** Ordinary words and first names that are a town as well: the town is meant after "in" or "near", or asked for. */
export const ordinaryTowns =
  'abram, alton, amble, arnold, ascot, ash, ashley, banks, barking, barry, bath, bentley, bourne, bow, ' +
  'bradley, brandon, bray, brent, brill, bury, camber, carlton, chard, charing, cheddar, chelsea, ' +
  'clare, clayton, clive, connor, cove, crick, croft, crook, currie, dale, denton, diss, douglas, ellon, ' +
  'elton, errol, fenwick, fleet, flint, ford, goring, grays, grove, hadley, hale, harley, hartley, ' +
  'hayes, haynes, healey, hilton, hook, hurley, ince, irvine, keith, kelso, knowle, lancing, lea, leek, leslie, ' +
  'logan, melrose, mere, moira, mold, morley, moss, nairn, nash, nelson, ' +
  'poplar, ramsey, reading, rhu, ripley, rothes, rugby, rye, sale, sandwich, sandy, scone, shap, shaw, ' +
  'shelley, shirley, simpson, stanley, stepps, stone, tain, thorne, valley, warden, ware, wells, wick, ' +
  'wilton, winston, yate'

/** Words that follow "in" or "at" and are no mistyped town. */
export const ordinaryPlaces =
  'abroad, care, charge, court, crowd, crowds, debt, denial, england, forces, home, kitchen, meetings, middle, morning, park, ' +
  'pieces, planes, poland, present, prison, public, school, scotland, shock, shop, shops, silence, spring, summer, supermarkets, ' +
  'tears, theatre, town, train, trains, tunnels, uni, winter'

/** Towns that are never read as one, since the word for them follows "in" or "at" as it is. */
export const notTowns =
  'battle, box, bridge, bugle, church, cooling, coven, deal, dollar, eye, fallin, felling, forth, grain, hay, ' +
  'healing, hill, hope, horning, law, locking, march, over, pant, par, plains, pool, rock, rode, send, settle, ' +
  'stock, street, sway, tong, tumble, wales, wall, welling, wing, wool'

/** Ordinary words that are a name as well: the name is meant beside another one. */
export const ordinaryNames =
  'young, long, love, hope, grace, good, may, black, white, brown, green, grey, gray, king, rose, joy, faith, will, mark, rich, ' +
  'frank, grant, chase, drew, dawn, summer, june, april, august, jade, ruby, pearl, iris, daisy, lily, heather, holly, ivy, ' +
  'poppy, violet, autumn, bill, bob, jack, rob, sue, pat, gene, art, ray, dean, cook, baker, smith, price, day, knight, ' +
  'bishop, bell, wood, woods, stone, rivers, field, fields, hill, hills, moore, best, bond, swift, sharp, small, little, ' +
  'short, power, strong, wise, gold, silver, lord, major, page, read, singer, sweet, west, north, east, south, winter, ' +
  'winters, snow, frost, storm, bright, noble, pope, prince, duke, earl, miles, drake, fox, wolf, bird, wren, finch, martin, ' +
  'robin, guy, barber, butler, carter, cooper, farmer, fisher, gardener, hunter, mason, miller, parker, porter, potter, ' +
  'shepherd, taylor, turner, walker, weaver, chance, christian, muslim, victor, victoria, angel, harmony, patience, ' +
  'prudence, constance, mercy, charity, felicity, serenity, destiny, trinity, eve, christmas, england, ireland, wales, ' +
  'london, paris, israel, jordan, chad, kenya, india, china, georgia, florence, sydney, blue, cross, church, temple, french, ' +
  'german, irish, welsh, english, scott, holland, norman, sage, clay, dale, glen, cliff, reed, marsh, lake, ford, park, ' +
  'peace, bliss, gay, low, moody, savage, pain, payne, hurt, moral, worth, treat'
