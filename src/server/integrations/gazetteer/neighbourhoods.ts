import type { Point } from '#contract/places.ts'

/** A town, or a part of one, with its outward codes. The point lies in its middle. */
export type Neighbourhood = Point & {
  city: string
  /** A part of the city where there is one worth naming. */
  area?: string
  districts: readonly string[]
}

const place = (
  city: string,
  area: string,
  latitude: number,
  longitude: number,
  districts: string,
): Neighbourhood => ({ city, ...(area && { area }), latitude, longitude, districts: districts.split(' ') })

/** The neighbourhoods that are known without an imported file of postcodes: those of the demo. */
export const neighbourhoods: readonly Neighbourhood[] = [
  place('London', 'Islington', 51.5362, -0.103, 'N1 N5'),
  place('London', 'Clapham', 51.4618, -0.1384, 'SW4 SW11'),
  place('London', 'Hampstead', 51.5557, -0.1762, 'NW3'),
  place('London', 'Marylebone', 51.5203, -0.15, 'W1G W1U'),
  place('London', 'Greenwich', 51.4769, -0.0005, 'SE10'),
  place('London', 'Hackney', 51.545, -0.0553, 'E8 E9'),
  place('London', 'Peckham', 51.4739, -0.0691, 'SE15'),
  place('London', 'Ealing', 51.5131, -0.3053, 'W5 W13'),
  place('London', 'Wimbledon', 51.4214, -0.2064, 'SW19'),
  place('London', 'Walthamstow', 51.5839, -0.0203, 'E17'),
  place('London', 'Croydon', 51.3762, -0.0982, 'CR0'),
  place('Birmingham', 'Moseley', 52.4459, -1.8883, 'B13'),
  place('Birmingham', 'Edgbaston', 52.4614, -1.922, 'B15 B16'),
  place('Manchester', 'Chorlton', 53.4425, -2.277, 'M21'),
  place('Manchester', '', 53.4794, -2.2453, 'M2 M3 M4'),
  place('Leeds', 'Headingley', 53.8194, -1.579, 'LS6'),
  place('Leeds', '', 53.7974, -1.5438, 'LS1 LS2'),
  place('Glasgow', 'West End', 55.8745, -4.2927, 'G12 G11'),
  place('Edinburgh', '', 55.9521, -3.1965, 'EH1 EH2 EH3'),
  place('Bristol', 'Clifton', 51.456, -2.6194, 'BS8'),
  place('Bristol', 'Bedminster', 51.44, -2.599, 'BS3'),
  place('Liverpool', '', 53.4026, -2.9796, 'L1 L8'),
  place('Sheffield', '', 53.3805, -1.4702, 'S1 S10 S11'),
  place('Newcastle upon Tyne', 'Jesmond', 54.9895, -1.605, 'NE2'),
  place('Nottingham', '', 52.9534, -1.1496, 'NG1 NG7'),
  place('Cardiff', 'Pontcanna', 51.4889, -3.2008, 'CF11'),
  place('Swansea', '', 51.6208, -3.9432, 'SA1'),
  place('Belfast', '', 54.5964, -5.9301, 'BT1 BT7 BT9'),
  place('Leicester', '', 52.6346, -1.1297, 'LE1 LE2'),
  place('Bradford', '', 53.7939, -1.7521, 'BD1'),
  place('Brighton', '', 50.8278, -0.1395, 'BN1 BN2'),
  place('Oxford', 'Summertown', 51.7782, -1.2656, 'OX2'),
  place('Cambridge', '', 52.2053, 0.1218, 'CB1 CB2'),
  place('Southampton', '', 50.9097, -1.4044, 'SO14 SO15'),
  place('Portsmouth', 'Southsea', 50.7864, -1.0847, 'PO5'),
  place('Reading', '', 51.4551, -0.9787, 'RG1'),
  place('Norwich', '', 52.6286, 1.2923, 'NR1 NR2'),
  place('Exeter', '', 50.7218, -3.5336, 'EX1 EX4'),
  place('Plymouth', '', 50.3755, -4.1427, 'PL1 PL4'),
  place('York', '', 53.96, -1.0873, 'YO1 YO31'),
  place('Bath', '', 51.3811, -2.359, 'BA1 BA2'),
  place('Aberdeen', '', 57.1497, -2.0943, 'AB10 AB11'),
  place('Dundee', '', 56.462, -2.9707, 'DD1'),
  place('Inverness', '', 57.4778, -4.2247, 'IV1 IV2'),
  place('Bangor', '', 53.228, -4.1292, 'LL57'),
  place('Coventry', '', 52.4068, -1.5197, 'CV1'),
  place('Derby', '', 52.9225, -1.4746, 'DE1'),
  place('Milton Keynes', '', 52.0406, -0.7594, 'MK9'),
  place('Guildford', '', 51.2362, -0.5704, 'GU1'),
  place('Canterbury', '', 51.2802, 1.0789, 'CT1'),
  place('Ipswich', '', 52.0567, 1.1482, 'IP1'),
  place('Hull', '', 53.7443, -0.3325, 'HU1'),
]
