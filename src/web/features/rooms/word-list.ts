/**
 * The 2,048 words that verification words are chosen from, 11 bits each, in this order for ever: two releases must show the
 * same words. Plain and calm words of three to eight letters.
 */
export const wordList: readonly string[] = `
abacus able academy accent accept account achieve acorn acquire acre acrobat active actor adagio adept
admire adopt adore advice advise affirm agile aim air airport airy aisle album alder algae alive allow
ally almond aloe alpaca alto amateur amber amble amenity ample amuse amused anagram anchor anemone angle
anorak answer anthem antique antler applaud apple apricot april apron apt aqua arbour arcade arch archer
archive ardent area arena aria arise armrest aroma arrange arrive art artful article artisan artist ash
ask aspect aspen aspire assure aster athlete atlas atom attic attune auburn aura author autumn avenue
avocado awake awaken award aware awning axis azalea azure badge badger bag bagel bagpipe bake baker bakery
balance balcony ball ballad ballet balloon bamboo banana band bandana banjo bank banner banquet bargain
barley barn basil basin basket bassoon bathe bathtub batter bazaar beach beacon beads beam beanbag beauty
beaver bedside beeswax beetle begonia behold beige bell belong belt bend benefit beret beside best bestow
better bicycle big bike binder birch biscuit bison bistro blanket blazer blend blink block bloom blossom
blue bluetit blush boat bobbin bobsled bolster bonbon bongo bonnet book boot bough bounce bouquet bowl
bowling box bracken bracket braid branch brass brave breadth breeze breezy brew brick bridge bright bring
brioche brisk broaden bronze brooch brook broom broth brown brownie browse brush bubble bucket buckle bud
bugle bulb bulrush bunny bunting bustle butler butter buttery button bypass cabbage cabin cabinet cactus
cadence cafe cake calf calico calm camel cameo camera campus canal canary candid candle candour canoe
canopy canteen canvas canyon cap cape caper captain carafe caramel caravan card care career careful carer
caribou caring carol carpet carrot cart cascade cashew cashier castle casual catkin catnap cedar celery
cellist cello cement ceramic chair chalet chalk channel chant chapter charity chat chateau cheer cheery
cheese chef cherish cherry chess chest chicken chicory chilled chime chimney chisel chive choice choir
chorus chrome chuckle chutney cinema circle circus citizen citrus city civic clap clarity classic clay
clean clear clever cliff climb climber clip clock close cloth cloud cloudy clove clover club clue coach
coast coastal coaster coat coax cobalt cobweb cocoa coconut cocoon coda coffee collage collar college
collie colony colt comb comedy comet comfort comfy comic compact compote concert conifer content context
contour cook cookie copper copy coral cordial corgi cork corner cornet cornice cosmos costume cosy cottage
cotton couch couplet courage cove cowslip cracker cradle craft crag crane crate crayon cream creamy crepe
cress crest crew cricket crimson crinkle crisp crochet crocus croon croquet crouton crumb crumble crumpet
crystal cube cuckoo cumin cup cupcake curator curious curl curlew curly curry curtain cushion custard
cutlery cyan cycle cyclist cygnet cypress dabble dahlia daily dainty dairy daisy dale damson dance dancer
dangle dapper daring darts dawn day dazzle debut decent decorum delight dell delta deluxe denim desk
devote devoted dew dewdrop diamond dill dimple dine dinghy dinner dip dish dive diver dolphin dome donate
donkey doodle door doormat dot dotted dove doze dozen drama draw drawer dream dreamy dress dresser drift
drizzle drum drummer dry duck duet dune dusk dust duvet dwell dynamic eager eaglet earnest earth earthen
ease easel east easy echo eclair eclipse editor educate eggcup eighty elder elegant elegy elevate elk
ellipse elm embark emblem embrace emerald empathy emu enamel encore endear endive endless engrave enhance
enjoy epic episode eraser estate eternal even evening exotic expanse explore facade fairway falcon fame
famous fan fancy farm farmer fashion fast favour fawn feast feat feather fellow felt fennel fern ferret
ferry festive fetch fiddle fiddler field fiesta fifteen fifty fig finale finch fine finish firefly first
firth fisher fishing fit five fjord flannel flask flavour flaxen fleece fleecy fleet flicker flight flint
flip float flock floor florist fluency fluent fluffy flurry flute flutter fly flying flyover foal foam
foliage fond fondue font food foot forage ford foresee forest forever forgive fork fortune forty fossil
foster fox foyer frank freedom freesia fresco fresh friday friend fringe frisbee frog frolic frost frosty
fruity fuchsia fudge fugue fun funnel futon gala galaxy gallant galleon gallery gallon gallop game garage
garden garland garlic garment garnish gateway gaze gazebo gazelle gazette gecko gem genius gentle genuine
gerbil gesture geyser gibbon gift gifted giggle ginger gingham giraffe glacier glad glade glance glass
glasses glaze glazier gleam glen glide glimmer glimpse glisten glitter globe glossy gloves glow goat
golden golf golfer gondola good gopher gorse gosling gown grace grain gram granary grand granite granola
grant grape grass gravel gravy graze green greet grey griddle grin grocer groom groove grotto grove guava
guitar gulf gull guppy gusto habit habitat haddock haiku hallway halo hammock hamster handbag handful
handy happy harbour hardy harmony harp harpist harvest hat hatter hayloft haze hazel health healthy heart
hearth hearty heath heather hedge helmet helpful hemp heron herring hexagon hike hiker hill hinge history
hobby hockey holiday holly home homely honest honesty honey honour hoodie hoop hop hope hopeful horizon
host hostel hotel house hub hum humble hummus humour icing icon idea ideal idiom igloo iguana imagine
immerse impala imprint indigo ink inkwell inn insight inspire instil invite iris island isle ivory ivy
jackdaw jacket jade jam january jar jasmine jaunt jaunty jay jazz jeans jelly jersey jetty jewel jigsaw
jog jogger joke jolly journey jovial joy joyful jubilee judo jug juggle juggler juice july jump jumper
june jungle juniper kale karate kayak kebab keen kelp kennel kernel kestrel ketchup kettle keyhole khaki
kiln kindle kindly kingdom kiosk kitchen kitten kiwi knack knitter knob knoll koala lace ladle lagoon lake
lamb lamp lamplit land lantern lapwing larch larder large lark latch latte lattice laugh laurel lavish
lawn leaf leafy league lean leap learn leather legacy legato legend leisure lemon lemur lentil lettuce
lexicon liberty library lichen lid lido life light like lilac lilting lily lime linden linen linger litre
little lively llama loaf lobby locket lodge loft lofty loom loop lotus lounge lovely lowland loyal lucid
luck lucky ludo luggage lull lullaby lunar lunch lupin lush lustre lute luxury lynx lyre lyric lyrical
magenta magical magpie mallard mallet mallow manatee mango manor mantel maple marble marimba marina
marmite marmot marrow marsh martin mascot mauve maypole meadow meander medley meerkat mellow melodic
melody melon melt memoir memory mentor menu mermaid merrily merry message meteor midday mighty mild mile
milk milkman milky mimic mimosa mindful mingle minnow mint minuet mirror misty mitten mix mobile mocha
modest mohair mole monday mood moon moonlit moorhen mooring morsel mosaic moss motif mouse muesli muffin
muffler mug mulch munch museum music musical muslin mustard myrtle napkin narwhal natural neat nebula
nectar neptune nestle netball nibble nice nickel nimble nine ninety noble noodle nook noon notable notepad
nourish novel novelty nudge nugget nursery nurture nutmeg oak oaken oasis oat oatcake oatmeal oboe ocean
octagon octave october ode odyssey olive onion opal orange orbit orchard orchid oregano origami oriole
ornate osprey ostrich otter ottoman outback oval oven owl oxen oxygen paddle paddock padlock pageant
pagoda paint painter paisley palace palm pancake panda pannier pansy pantry papaya paper paprika parade
paragon parasol park parlour parrot parsley parsnip part partner party pasta pastel pastry pasture path
patio pattern peach peacock peanut pearl pebble pebbly pecan pelican pencil pendant penguin pennant peony
pepper perfume pergola perky pesto petunia pewter pianist piano piccolo pickle picture pigeon piglet
pilates pillow pilot pine pink pioneer pitcher pixel pizza place placid plait planet planner plaque
plateau playful plaza pleased plinth plough pluck plucky plum plumage plush plywood pocket podcast poem
poet poetic poetry poised polar polish polka pollen polo pomelo poncho pond ponder pony poodle popcorn
poplar popover poppy porch porter portray postage postbox poster postman pot potato potter pottery pouch
prairie praise preen pretty pretzel pride prism produce promise proper propose prosper protect proud
proverb provide prudent prune publish pudding puddle puffin puma pumpkin pupil puppet puppy pure purple
purr purse puzzle pyjamas pyramid quail quaint quality quarter quartet quartz quench quest quiche quick
quiet quilt quince quiz quote rabbit raccoon race rack radiant radio radish raffle raft railing railway
rainbow raisin rake rally ramble rambler ramp ranch ranger rapid rapport rare rattan ravioli reach reader
ready realise reason recall receive recess recipe recite recline recover recycle reef referee refill
refine reflect refrain refresh regain regal region regular rejoice relax relaxed relay release relish rely
remain remind renew repair repeat reply repose restful restore reunite reveal revel revive rhubarb rhyme
rhythm ribbon rice rich riddle ride rider ridge rink rinse ripe ripple rise risotto river roam roast robe
robin robust rock rolling romp roof rooftop rook room rooster rosebud rosette roster rosy rotate round
roundup rowan rower rowing royal rubber ruby rug rugby rugged run runner runway rural rush russet rustic
rustle saddle safari safe saffron saga sage sailing sailor salad salmon salsa salt sample sand sandal
sandbox sandy sapling sardine satchel satin satsuma saucer saunter savanna savour sawmill scale scallop
scarf scarlet scatter scenic scholar school science sconce scone scooter scope scout screen scroll seagull
seal search seaside season seat seaweed second seed sense sequel sequin serene series serve sesame session
settle settled seven seventy shade shallot shanty shape share shawl shed sheep sheet shelf shell shelter
sherbet shimmer shine shingle shining shiny ship shirt shop shore shovel show shrub shutter sienna sign
signal silence silent silk silken silver silvery simmer simple sincere sing singer sip sit six sixteen
sixty skate skater sketch ski skiing skilful skill skim skip skipper skirt sky skylark sled sleek sleep
sleepy sleeve slender slide slipper slope sloth smart smell smile smiling smock smooth snack snail snooze
snow snowman snowy snug soak soap social society sock sofa soft soil sojourn solace solar solid solo
soloist solve sonata song sonic sonnet soothe soprano sorbet sort sound soup south soybean space spade
span spaniel spare spark sparkle sparkly sparrow spatula speak speaker special speckle speech spell sphere
spice spin spinach spinner spiral spire splash sponge spool spoon sport spot spotted sprig spring sprout
spruce spry square squash stable stadium staff stag stage stamp stand star starry start state station
statue stay steady steamer steeple steer stellar stem stencil step steppe stereo stew steward still stir
stitch stone stool stopper store story stove stream street stretch stride string striped stroll strong
strudel strum student studio study sturdy stylish subtle subway suede sugar sugary summer summit sunbeam
sundial sundown sunlit sunny sunrise sunroom sunset superb supper supple supreme sure surf surfer surfing
swan swatch sway sweater swede sweep swift swim swimmer swing swirl syrup table tableau tablet taco
tactful tadpole tailor take talent talk tall tally tame tandem tango tapas taproom tart tartan tassel
taste tasty teach teacher teacup teal teapot teasel teashop teeming tempo tend tender tendril tennis tenor
tent terrace terrier textile texture thank thaw theatre theme theory thicken thicket thimble thirty three
thrifty thrive thrush ticket tickle tidal tideway tidy tile tilt timber tinfoil tinker tinsel tiny tiptoe
title toast toaster today toffee toll tomato tone tonight toolbox topaz topping toucan tour tourist toward
towel tower town towpath toy trace track tractor traffic trail train trainee trainer tram travel tray
treacle treat treaty treble tree treetop trefoil trek trellis tribute trilogy trinket trio trip tripod
triumph trivia trolley tropics trowel truce true truffle trumpet trundle trunk trust trustee trusty truth
try tuba tuesday tulip tune tunic tunnel turn turnip turret turtle tutor tweed twelve twenty twig twirl
typist ukulele umpire unfold uniform unify unique unison unite united unpack unravel unwind upbeat upland
uplift upper upward useful usher valid valley value valued vanilla vanity varnish vase vast velvet veneer
veranda verb verse vibrant vibrate vibrato victory video view viewer vigour villa village vine vintage
vinyl violet violin vision visit visitor vista vital vitamin vivid vocal voice vowel voyage wafer waffle
wagon wagtail waiter wake walk walker walkway wallaby wallet walnut walrus waltz wander warble warbler
warm warmth wash watch water wavy waxwing wayside wealthy weaver webbing weekday weekend welcome well
wellies west wetland wharf wheat wheel whimsy whirl whisk whisker whisper whist whistle wicker wide widget
width wilds willing willow win window wink winter wisdom wise wish wit witty wombat wonder wooden wool
woolly word worktop world worthy woven wren writer yacht yak yard yarn yawn year yellow yes yield yodel
yoga yoghurt young yurt zeal zebra zenith zephyr zesty zigzag zinc zipper zippy zoo
`
  .trim()
  .split(/\s/)
