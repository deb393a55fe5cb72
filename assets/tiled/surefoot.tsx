<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" name="Surefoot" tilewidth="16" tileheight="16" tilecount="112" columns="16">
 <image source="surefoot.png" width="256" height="112"/>
 <tile id="0" type="surefoot:full_block">
  <properties>
   <property name="surefoot" type="string" value="full_block"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="0">
    <polygon points="0,0 16,0 16,16 0,16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="1" type="surefoot:half_slab">
  <properties>
   <property name="surefoot" type="string" value="half_slab"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="8">
    <polygon points="0,0 16,0 16,8 0,8"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="2" type="surefoot:half_slab r1">
  <properties>
   <property name="surefoot" type="string" value="half_slab r1"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="8" y="0">
    <polygon points="0,0 0,16 -8,16 -8,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="3" type="surefoot:half_slab r2">
  <properties>
   <property name="surefoot" type="string" value="half_slab r2"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="8">
    <polygon points="0,0 -16,0 -16,-8 0,-8"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="4" type="surefoot:half_slab r3">
  <properties>
   <property name="surefoot" type="string" value="half_slab r3"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="8" y="16">
    <polygon points="0,0 0,-16 8,-16 8,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="5" type="surefoot:thin_slab">
  <properties>
   <property name="surefoot" type="string" value="thin_slab"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="14">
    <polygon points="0,0 16,0 16,2 0,2"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="6" type="surefoot:thin_slab r1">
  <properties>
   <property name="surefoot" type="string" value="thin_slab r1"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="2" y="0">
    <polygon points="0,0 0,16 -2,16 -2,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="7" type="surefoot:thin_slab r2">
  <properties>
   <property name="surefoot" type="string" value="thin_slab r2"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="2">
    <polygon points="0,0 -16,0 -16,-2 0,-2"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="8" type="surefoot:thin_slab r3">
  <properties>
   <property name="surefoot" type="string" value="thin_slab r3"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="14" y="16">
    <polygon points="0,0 0,-16 2,-16 2,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="9" type="surefoot:quarter_block">
  <properties>
   <property name="surefoot" type="string" value="quarter_block"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="8">
    <polygon points="0,0 8,0 8,8 0,8"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="10" type="surefoot:quarter_block r1">
  <properties>
   <property name="surefoot" type="string" value="quarter_block r1"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="8" y="0">
    <polygon points="0,0 0,8 -8,8 -8,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="11" type="surefoot:quarter_block r2">
  <properties>
   <property name="surefoot" type="string" value="quarter_block r2"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="8">
    <polygon points="0,0 -8,0 -8,-8 0,-8"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="12" type="surefoot:quarter_block r3">
  <properties>
   <property name="surefoot" type="string" value="quarter_block r3"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="8" y="16">
    <polygon points="0,0 0,-8 8,-8 8,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="13" type="surefoot:three_quarter_block">
  <properties>
   <property name="surefoot" type="string" value="three_quarter_block"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="0">
    <polygon points="0,0 8,0 8,8 16,8 16,16 0,16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="14" type="surefoot:three_quarter_block r1">
  <properties>
   <property name="surefoot" type="string" value="three_quarter_block r1"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="0">
    <polygon points="0,0 0,8 -8,8 -8,16 -16,16 -16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="15" type="surefoot:three_quarter_block r2">
  <properties>
   <property name="surefoot" type="string" value="three_quarter_block r2"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="16">
    <polygon points="0,0 -8,0 -8,-8 -16,-8 -16,-16 0,-16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="16" type="surefoot:three_quarter_block r3">
  <properties>
   <property name="surefoot" type="string" value="three_quarter_block r3"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="16">
    <polygon points="0,0 0,-8 8,-8 8,-16 16,-16 16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="17" type="surefoot:checker">
  <properties>
   <property name="surefoot" type="string" value="checker"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="8">
    <polygon points="0,0 8,0 8,8 0,8"/>
   </object>
   <object id="2" x="8" y="0">
    <polygon points="0,0 8,0 8,8 0,8"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="18" type="surefoot:checker r1">
  <properties>
   <property name="surefoot" type="string" value="checker r1"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="8" y="0">
    <polygon points="0,0 0,8 -8,8 -8,0"/>
   </object>
   <object id="2" x="16" y="8">
    <polygon points="0,0 0,8 -8,8 -8,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="19" type="surefoot:slope_45">
  <properties>
   <property name="surefoot" type="string" value="slope_45"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="16">
    <polygon points="0,0 16,-16 16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="20" type="surefoot:slope_45 r1">
  <properties>
   <property name="surefoot" type="string" value="slope_45 r1"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="0">
    <polygon points="0,0 16,16 0,16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="21" type="surefoot:slope_45 r2">
  <properties>
   <property name="surefoot" type="string" value="slope_45 r2"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="0">
    <polygon points="0,0 -16,16 -16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="22" type="surefoot:slope_45 r3">
  <properties>
   <property name="surefoot" type="string" value="slope_45 r3"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="16">
    <polygon points="0,0 -16,-16 0,-16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="23" type="surefoot:half_slope_low">
  <properties>
   <property name="surefoot" type="string" value="half_slope_low"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="16">
    <polygon points="0,0 16,-8 16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="24" type="surefoot:half_slope_low r1">
  <properties>
   <property name="surefoot" type="string" value="half_slope_low r1"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="0">
    <polygon points="0,0 8,16 0,16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="25" type="surefoot:half_slope_low r2">
  <properties>
   <property name="surefoot" type="string" value="half_slope_low r2"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="0">
    <polygon points="0,0 -16,8 -16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="26" type="surefoot:half_slope_low r3">
  <properties>
   <property name="surefoot" type="string" value="half_slope_low r3"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="16">
    <polygon points="0,0 -8,-16 0,-16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="27" type="surefoot:half_slope_low m">
  <properties>
   <property name="surefoot" type="string" value="half_slope_low m"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="16">
    <polygon points="0,0 0,-8 16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="28" type="surefoot:half_slope_low m r1">
  <properties>
   <property name="surefoot" type="string" value="half_slope_low m r1"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="0">
    <polygon points="0,0 8,0 0,16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="29" type="surefoot:half_slope_low m r2">
  <properties>
   <property name="surefoot" type="string" value="half_slope_low m r2"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="0">
    <polygon points="0,0 0,8 -16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="30" type="surefoot:half_slope_low m r3">
  <properties>
   <property name="surefoot" type="string" value="half_slope_low m r3"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="16">
    <polygon points="0,0 -8,0 0,-16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="31" type="surefoot:half_slope_high">
  <properties>
   <property name="surefoot" type="string" value="half_slope_high"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="8">
    <polygon points="0,0 16,-8 16,8 0,8"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="32" type="surefoot:half_slope_high r1">
  <properties>
   <property name="surefoot" type="string" value="half_slope_high r1"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="8" y="0">
    <polygon points="0,0 8,16 -8,16 -8,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="33" type="surefoot:half_slope_high r2">
  <properties>
   <property name="surefoot" type="string" value="half_slope_high r2"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="8">
    <polygon points="0,0 -16,8 -16,-8 0,-8"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="34" type="surefoot:half_slope_high r3">
  <properties>
   <property name="surefoot" type="string" value="half_slope_high r3"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="8" y="16">
    <polygon points="0,0 -8,-16 8,-16 8,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="35" type="surefoot:half_slope_high m">
  <properties>
   <property name="surefoot" type="string" value="half_slope_high m"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="16">
    <polygon points="0,0 -16,0 -16,-16 0,-8"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="36" type="surefoot:half_slope_high m r1">
  <properties>
   <property name="surefoot" type="string" value="half_slope_high m r1"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="16">
    <polygon points="0,0 0,-16 16,-16 8,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="37" type="surefoot:half_slope_high m r2">
  <properties>
   <property name="surefoot" type="string" value="half_slope_high m r2"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="0">
    <polygon points="0,0 16,0 16,16 0,8"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="38" type="surefoot:half_slope_high m r3">
  <properties>
   <property name="surefoot" type="string" value="half_slope_high m r3"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="0">
    <polygon points="0,0 0,16 -16,16 -8,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="39" type="surefoot:corner_wedge">
  <properties>
   <property name="surefoot" type="string" value="corner_wedge"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="8">
    <polygon points="0,0 8,8 0,8"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="40" type="surefoot:corner_wedge r1">
  <properties>
   <property name="surefoot" type="string" value="corner_wedge r1"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="8" y="0">
    <polygon points="0,0 -8,8 -8,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="41" type="surefoot:corner_wedge r2">
  <properties>
   <property name="surefoot" type="string" value="corner_wedge r2"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="8">
    <polygon points="0,0 -8,-8 0,-8"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="42" type="surefoot:corner_wedge r3">
  <properties>
   <property name="surefoot" type="string" value="corner_wedge r3"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="8" y="16">
    <polygon points="0,0 8,-8 8,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="43" type="surefoot:bevel_block">
  <properties>
   <property name="surefoot" type="string" value="bevel_block"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="0">
    <polygon points="0,0 8,0 16,8 16,16 0,16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="44" type="surefoot:bevel_block r1">
  <properties>
   <property name="surefoot" type="string" value="bevel_block r1"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="0">
    <polygon points="0,0 0,8 -8,16 -16,16 -16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="45" type="surefoot:bevel_block r2">
  <properties>
   <property name="surefoot" type="string" value="bevel_block r2"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="16">
    <polygon points="0,0 -8,0 -16,-8 -16,-16 0,-16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="46" type="surefoot:bevel_block r3">
  <properties>
   <property name="surefoot" type="string" value="bevel_block r3"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="16">
    <polygon points="0,0 0,-8 8,-16 16,-16 16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="47" type="surefoot:diagonal_band">
  <properties>
   <property name="surefoot" type="string" value="diagonal_band"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="8">
    <polygon points="0,0 8,-8 16,-8 16,0 8,8 0,8"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="48" type="surefoot:diagonal_band r1">
  <properties>
   <property name="surefoot" type="string" value="diagonal_band r1"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="8" y="0">
    <polygon points="0,0 8,8 8,16 0,16 -8,8 -8,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="49" type="surefoot:wedge_pair">
  <properties>
   <property name="surefoot" type="string" value="wedge_pair"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="8">
    <polygon points="0,0 8,8 0,8"/>
   </object>
   <object id="2" x="8" y="0">
    <polygon points="0,0 8,0 8,8"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="50" type="surefoot:wedge_pair r1">
  <properties>
   <property name="surefoot" type="string" value="wedge_pair r1"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="8" y="0">
    <polygon points="0,0 -8,8 -8,0"/>
   </object>
   <object id="2" x="16" y="8">
    <polygon points="0,0 0,8 -8,8"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="51" type="surefoot:quarter_pipe">
  <properties>
   <property name="surefoot" type="string" value="quarter_pipe"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="0">
    <polygon points="0,0 1,5 3,9 7,13 11,15 16,16 0,16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="52" type="surefoot:quarter_pipe r1">
  <properties>
   <property name="surefoot" type="string" value="quarter_pipe r1"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="0">
    <polygon points="0,0 -5,1 -9,3 -13,7 -15,11 -16,16 -16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="53" type="surefoot:quarter_pipe r2">
  <properties>
   <property name="surefoot" type="string" value="quarter_pipe r2"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="16">
    <polygon points="0,0 -1,-5 -3,-9 -7,-13 -11,-15 -16,-16 0,-16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="54" type="surefoot:quarter_pipe r3">
  <properties>
   <property name="surefoot" type="string" value="quarter_pipe r3"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="16">
    <polygon points="0,0 5,-1 9,-3 13,-7 15,-11 16,-16 16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="55" type="surefoot:quarter_moon">
  <properties>
   <property name="surefoot" type="string" value="quarter_moon"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="0">
    <polygon points="0,0 5,1 9,3 13,7 15,11 16,16 0,16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="56" type="surefoot:quarter_moon r1">
  <properties>
   <property name="surefoot" type="string" value="quarter_moon r1"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="0">
    <polygon points="0,0 -1,5 -3,9 -7,13 -11,15 -16,16 -16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="57" type="surefoot:quarter_moon r2">
  <properties>
   <property name="surefoot" type="string" value="quarter_moon r2"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="16">
    <polygon points="0,0 -5,-1 -9,-3 -13,-7 -15,-11 -16,-16 0,-16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="58" type="surefoot:quarter_moon r3">
  <properties>
   <property name="surefoot" type="string" value="quarter_moon r3"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="16">
    <polygon points="0,0 1,-5 3,-9 7,-13 11,-15 16,-16 16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="59" type="surefoot:disc">
  <properties>
   <property name="surefoot" type="string" value="disc"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="8" y="0">
    <polygon points="0,0 4,1 7,4 8,8 7,12 4,15 0,16 -4,15 -7,12 -8,8 -7,4 -4,1"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="60" type="surefoot:octagon">
  <properties>
   <property name="surefoot" type="string" value="octagon"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="4" y="0">
    <polygon points="0,0 8,0 12,4 12,12 8,16 0,16 -4,12 -4,4"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="61" type="surefoot:diamond">
  <properties>
   <property name="surefoot" type="string" value="diamond"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="8" y="0">
    <polygon points="0,0 8,8 0,16 -8,8"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="62" type="surefoot:spike">
  <properties>
   <property name="surefoot" type="string" value="spike"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="16">
    <polygon points="0,0 8,-16 16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="63" type="surefoot:spike r1">
  <properties>
   <property name="surefoot" type="string" value="spike r1"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="0">
    <polygon points="0,0 16,8 0,16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="64" type="surefoot:spike r2">
  <properties>
   <property name="surefoot" type="string" value="spike r2"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="0">
    <polygon points="0,0 -8,16 -16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="65" type="surefoot:spike r3">
  <properties>
   <property name="surefoot" type="string" value="spike r3"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="16">
    <polygon points="0,0 -16,-8 0,-16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="66" type="surefoot:caltrop">
  <properties>
   <property name="surefoot" type="string" value="caltrop"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="8" y="0">
    <polygon points="0,0 2,6 8,8 2,10 0,16 -2,10 -8,8 -2,6"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="67" type="surefoot:beam">
  <properties>
   <property name="surefoot" type="string" value="beam"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="4" y="0">
    <polygon points="0,0 8,0 8,16 0,16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="68" type="surefoot:beam r1">
  <properties>
   <property name="surefoot" type="string" value="beam r1"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="4">
    <polygon points="0,0 0,8 -16,8 -16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="69" type="surefoot:girder_cross">
  <properties>
   <property name="surefoot" type="string" value="girder_cross"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="4" y="0">
    <polygon points="0,0 8,0 8,4 12,4 12,12 8,12 8,16 0,16 0,12 -4,12 -4,4 0,4"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="70" type="surefoot:stud">
  <properties>
   <property name="surefoot" type="string" value="stud"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="4" y="4">
    <polygon points="0,0 8,0 8,8 0,8"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="71" type="surefoot:tunnel">
  <properties>
   <property name="surefoot" type="string" value="tunnel"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="0">
    <polygon points="0,0 16,0 16,4 0,4"/>
   </object>
   <object id="2" x="0" y="12">
    <polygon points="0,0 16,0 16,4 0,4"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="72" type="surefoot:tunnel r1">
  <properties>
   <property name="surefoot" type="string" value="tunnel r1"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="0">
    <polygon points="0,0 0,16 -4,16 -4,0"/>
   </object>
   <object id="2" x="4" y="0">
    <polygon points="0,0 0,16 -4,16 -4,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="73" type="surefoot:one_way">
  <properties>
   <property name="surefoot" type="string" value="one_way"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="0">
    <polyline points="0,0 16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="74" type="surefoot:one_way r1">
  <properties>
   <property name="surefoot" type="string" value="one_way r1"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="0">
    <polyline points="0,0 0,16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="75" type="surefoot:one_way r2">
  <properties>
   <property name="surefoot" type="string" value="one_way r2"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="16">
    <polyline points="0,0 -16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="76" type="surefoot:one_way r3">
  <properties>
   <property name="surefoot" type="string" value="one_way r3"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="16">
    <polyline points="0,0 0,-16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="77" type="surefoot:one_way_pair">
  <properties>
   <property name="surefoot" type="string" value="one_way_pair"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="0">
    <polyline points="0,0 16,0"/>
   </object>
   <object id="2" x="16" y="16">
    <polyline points="0,0 -16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="78" type="surefoot:one_way_pair r1">
  <properties>
   <property name="surefoot" type="string" value="one_way_pair r1"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="0">
    <polyline points="0,0 0,16"/>
   </object>
   <object id="2" x="0" y="16">
    <polyline points="0,0 0,-16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="79" type="surefoot:one_way_corner">
  <properties>
   <property name="surefoot" type="string" value="one_way_corner"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="0">
    <polyline points="0,0 16,0 16,16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="80" type="surefoot:one_way_corner r1">
  <properties>
   <property name="surefoot" type="string" value="one_way_corner r1"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="0">
    <polyline points="0,0 0,16 -16,16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="81" type="surefoot:one_way_corner r2">
  <properties>
   <property name="surefoot" type="string" value="one_way_corner r2"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="16">
    <polyline points="0,0 -16,0 -16,-16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="82" type="surefoot:one_way_corner r3">
  <properties>
   <property name="surefoot" type="string" value="one_way_corner r3"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="16">
    <polyline points="0,0 0,-16 16,-16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="83" type="surefoot:one_way_triple">
  <properties>
   <property name="surefoot" type="string" value="one_way_triple"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="16">
    <polyline points="0,0 0,-16 16,-16 16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="84" type="surefoot:one_way_triple r1">
  <properties>
   <property name="surefoot" type="string" value="one_way_triple r1"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="0">
    <polyline points="0,0 16,0 16,16 0,16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="85" type="surefoot:one_way_triple r2">
  <properties>
   <property name="surefoot" type="string" value="one_way_triple r2"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="0">
    <polyline points="0,0 0,16 -16,16 -16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="86" type="surefoot:one_way_triple r3">
  <properties>
   <property name="surefoot" type="string" value="one_way_triple r3"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="16">
    <polyline points="0,0 -16,0 -16,-16 0,-16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="87" type="surefoot:one_way_slope_45">
  <properties>
   <property name="surefoot" type="string" value="one_way_slope_45"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="16">
    <polyline points="0,0 16,-16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="88" type="surefoot:one_way_slope_45 r1">
  <properties>
   <property name="surefoot" type="string" value="one_way_slope_45 r1"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="0">
    <polyline points="0,0 16,16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="89" type="surefoot:one_way_slope_45 r2">
  <properties>
   <property name="surefoot" type="string" value="one_way_slope_45 r2"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="0">
    <polyline points="0,0 -16,16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="90" type="surefoot:one_way_slope_45 r3">
  <properties>
   <property name="surefoot" type="string" value="one_way_slope_45 r3"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="16" y="16">
    <polyline points="0,0 -16,-16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="91" type="surefoot:mid_wall">
  <properties>
   <property name="surefoot" type="string" value="mid_wall"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="8" y="16">
    <polyline points="0,0 0,-16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="92" type="surefoot:mid_wall r1">
  <properties>
   <property name="surefoot" type="string" value="mid_wall r1"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="8">
    <polyline points="0,0 16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="93" type="surefoot:diagonal_wall">
  <properties>
   <property name="surefoot" type="string" value="diagonal_wall"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="16">
    <polyline points="0,0 16,-16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="94" type="surefoot:diagonal_wall r1">
  <properties>
   <property name="surefoot" type="string" value="diagonal_wall r1"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="0">
    <polyline points="0,0 16,16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="95" type="surefoot:wall_cross">
  <properties>
   <property name="surefoot" type="string" value="wall_cross"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="8" y="16">
    <polyline points="0,0 0,-8"/>
   </object>
   <object id="2" x="8" y="8">
    <polyline points="0,0 0,-8"/>
   </object>
   <object id="3" x="0" y="8">
    <polyline points="0,0 8,0"/>
   </object>
   <object id="4" x="8" y="8">
    <polyline points="0,0 8,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="96" type="platform">
  <properties>
   <property name="surefoot" type="string" value="platform"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="0">
    <polyline points="0,0 16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="97" type="spikes">
  <properties>
   <property name="surefoot" type="string" value="spikes"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="16">
    <polygon points="0,0 8,-16 16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="98" type="ice">
  <properties>
   <property name="surefoot" type="string" value="ice"/>
  </properties>
  <objectgroup draworder="index">
   <object id="1" x="0" y="0">
    <polygon points="0,0 16,0 16,16 0,16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="99" type="water">
  <properties>
   <property name="surefoot" type="string" value="water"/>
  </properties>
 </tile>
 <tile id="100" type="ladder">
  <properties>
   <property name="surefoot" type="string" value="ladder"/>
  </properties>
 </tile>
 <tile id="101" type="lava">
  <properties>
   <property name="surefoot" type="string" value="lava"/>
  </properties>
 </tile>
 <tile id="102" type="coin">
  <properties>
   <property name="surefoot" type="string" value="coin"/>
  </properties>
 </tile>
 <tile id="103" type="start">
  <properties>
   <property name="surefoot" type="string" value="start"/>
  </properties>
 </tile>
 <tile id="104" type="goal">
  <properties>
   <property name="surefoot" type="string" value="goal"/>
  </properties>
 </tile>
 <tile id="105" type="empty">
  <properties>
   <property name="surefoot" type="string" value="empty"/>
  </properties>
 </tile>
</tileset>
