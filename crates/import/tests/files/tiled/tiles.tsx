<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.10.2" name="ground" tilewidth="16" tileheight="16" tilecount="8" columns="8">
 <image source="ground.png" width="128" height="16"/>
 <tile id="0"><properties><property name="surefoot" value="full_block"/></properties></tile>
 <tile id="1"><properties><property name="surefoot" value="slope_45"/></properties></tile>
 <tile id="2">
  <objectgroup draworder="index" id="2"><object id="1" x="0" y="16"><polygon points="0,0 16,0 16,-8"/></object></objectgroup>
 </tile>
 <tile id="3" type="one_way"/>
 <tile id="4" type="water"/>
 <tile id="5" type="spikes"/>
 <tile id="7">
  <objectgroup draworder="index" id="2"><object id="1" x="0" y="2" width="16" height="14"/></objectgroup>
 </tile>
</tileset>
